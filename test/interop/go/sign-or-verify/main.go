// Signs or verifies one message with httpsig-go. It reads the message as JSON from the standard input, and prints the
// result as JSON.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/remitly-oss/httpsig-go"
	"github.com/remitly-oss/httpsig-go/keyman"
	"github.com/remitly-oss/httpsig-go/keyutil"
)

type message struct {
	Task       string
	Method     string
	URL        string
	Status     int
	Headers    map[string]string
	Body       string
	Components []string
	KeyID      string
	PEM        string
}

const algorithm = httpsig.Algo_ECDSA_P256_SHA256

func main() {
	var m message
	check(json.NewDecoder(os.Stdin).Decode(&m))
	if m.Task == "sign" {
		answer(m.signed())
	} else {
		answer(map[string]bool{"verified": m.verified()})
	}
}

func (m message) signed() map[string]string {
	key, err := keyutil.ReadPrivateKey([]byte(m.PEM))
	check(err)
	signer, err := httpsig.NewSigner(httpsig.SigningProfile{
		Algorithm: algorithm,
		Fields:    httpsig.Fields(m.Components...),
		Metadata:  []httpsig.Metadata{httpsig.MetaCreated, httpsig.MetaKeyID},
	}, httpsig.SigningKey{Key: key, MetaKeyID: m.KeyID})
	check(err)
	request := m.request()
	check(signer.Sign(request))
	return map[string]string{
		"signature":       request.Header.Get("Signature"),
		"signature-input": request.Header.Get("Signature-Input"),
	}
}

func (m message) verified() bool {
	key, err := keyutil.ReadPublicKey([]byte(m.PEM))
	check(err)
	keys := keyman.NewKeyFetchInMemory(map[string]httpsig.KeySpec{
		m.KeyID: {KeyID: m.KeyID, Algo: algorithm, PubKey: key},
	})
	profile := httpsig.VerifyProfile{
		SignatureLabel:    "sig1",
		AllowedAlgorithms: []httpsig.Algorithm{algorithm},
		RequiredFields:    httpsig.Fields("content-digest"),
		RequiredMetadata:  []httpsig.Metadata{httpsig.MetaCreated, httpsig.MetaKeyID},
	}
	if m.Status != 0 {
		response := &http.Response{StatusCode: m.Status, Header: m.header(), Body: m.body()}
		_, err = httpsig.VerifyResponse(response, keys, profile)
	} else {
		_, err = httpsig.Verify(m.request(), keys, profile)
	}
	return err == nil
}

func (m message) request() *http.Request {
	request, err := http.NewRequest(m.Method, m.URL, m.body())
	check(err)
	request.Header = m.header()
	return request
}

func (m message) header() http.Header {
	header := http.Header{}
	for name, value := range m.Headers {
		header.Set(name, value)
	}
	return header
}

func (m message) body() io.ReadCloser { return io.NopCloser(strings.NewReader(m.Body)) }

func answer(result any) { check(json.NewEncoder(os.Stdout).Encode(result)) }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
