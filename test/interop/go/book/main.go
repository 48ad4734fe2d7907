// Books and cancels with a client that oapi-codegen generated from the OpenAPI document. httpsig-go signs the calls.
// The arguments are the address of the server, the profile of the platform, and the id of its key. The standard input
// has the key.
package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"interop/book/usp"

	"github.com/remitly-oss/httpsig-go"
	"github.com/remitly-oss/httpsig-go/keyutil"
)

func main() {
	origin, profile, keyID := os.Args[1], os.Args[2], os.Args[3]
	pem, err := io.ReadAll(os.Stdin)
	check(err)
	client, err := usp.NewClientWithResponses(origin)
	check(err)
	all := context.Background()

	service := "svc_haircut"
	found, err := client.QueryAvailabilityWithResponse(all, nil, usp.QueryAvailabilityJSONRequestBody{
		ServiceId: service, StartDate: day(2), EndDate: day(9),
	})
	check(err)

	agent, sign := `profile="`+profile+`"`, signer(pem, keyID)
	booked, err := client.CreateBookingWithResponse(all, &usp.CreateBookingParams{
		USPAgent: agent, IdempotencyKey: newKey(),
	}, usp.CreateBookingJSONRequestBody{
		ServiceId: service, SlotId: (*found.JSON200.Slots)[0].Id,
		Buyer: usp.BookingBuyer{FirstName: "Alice", LastName: "Williams", Email: "alice@example.com"},
	}, sign)
	check(err)
	if booked.JSON201 == nil {
		log.Fatal(string(booked.Body))
	}
	booking := booked.JSON201.Booking

	canceled, err := client.CancelBookingWithResponse(all, booking.Id, &usp.CancelBookingParams{
		USPAgent: agent, IdempotencyKey: newKey(),
	}, usp.CancelBookingJSONRequestBody{}, sign)
	check(err)
	if canceled.JSON200 == nil {
		log.Fatal(string(canceled.Body))
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"id": booking.Id, "statuses": []any{booking.Status, canceled.JSON200.Booking.Status},
	}))
}

func signer(pem []byte, keyID string) usp.RequestEditorFn {
	key, err := keyutil.ReadPrivateKey(pem)
	check(err)
	signer, err := httpsig.NewSigner(httpsig.SigningProfile{
		Algorithm: httpsig.Algo_ECDSA_P256_SHA256,
		Fields: httpsig.Fields(
			"@method", "@authority", "@path", "usp-agent", "idempotency-key", "content-digest", "content-type",
		),
		Metadata: []httpsig.Metadata{httpsig.MetaCreated, httpsig.MetaKeyID},
	}, httpsig.SigningKey{Key: key, MetaKeyID: keyID})
	check(err)
	return func(_ context.Context, request *http.Request) error { return signer.Sign(request) }
}

func newKey() *string {
	key := time.Now().String()
	return &key
}

func day(days int) string { return time.Now().AddDate(0, 0, days).Format(time.DateOnly) }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
