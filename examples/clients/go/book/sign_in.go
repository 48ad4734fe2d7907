package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// signIn waits on a local port for the browser of the person to return from the sign-in page. A real client opens the address
// in the browser, and stores the tokens for the next start.
func signIn() auth.OAuthHandler {
	waiting, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	back := make(chan *auth.AuthorizationResult)
	go http.Serve(waiting, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "Done. Go back to your assistant.")
		answer := r.URL.Query()
		back <- &auth.AuthorizationResult{Code: answer.Get("code"), State: answer.Get("state"), Iss: answer.Get("iss")}
	}))

	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{
				ClientName:   "Example assistant",
				RedirectURIs: []string{fmt.Sprintf("http://%s/callback", waiting.Addr())},
			},
		},
		AuthorizationCodeFetcher: func(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			fmt.Println("Sign in at", args.URL)
			return <-back, nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	return handler
}
