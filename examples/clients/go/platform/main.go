// Books as a platform, with the tools of the protocol at /usp/mcp. The platform needs an API key of the business, which
// `npm run usp -- clients add NAME` prints:
//
//	USP_API_KEY=usk_… go run ./platform http://127.0.0.1:8080/usp/mcp https://platform.example/profile.json
//
// The second address is the address of the profile of the platform. docs/platforms.md describes profiles.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type object = map[string]any

// answer has the members of the answers that this example needs. The OpenRPC document describes all members.
type answer struct {
	Services, Slots []struct{ ID string }
	Hold            struct{ ID string }
	Booking         struct{ ID, Status string }
	Messages        []struct{ Type, Content string }
}

// platform calls the tools in one session, with the address of its profile.
type platform struct {
	*mcp.ClientSession
	profile string
}

// call names the profile of the platform in each call.
func (p platform) call(ctx context.Context, tool string, input, more object) (said answer, err error) {
	usp := object{"profile": p.profile}
	for name, value := range more {
		usp[name] = value
	}
	input["_meta"] = object{"usp": usp}
	result, err := p.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: input})
	if err != nil {
		return said, err
	}
	data, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return said, err
	}
	if err := json.Unmarshal(data, &said); err != nil {
		return said, err
	}
	// If a rule of the business forbids the call, the answer has the reason. If the server cannot process the call, CallTool
	// returned an error.
	for _, message := range said.Messages {
		if message.Type == "error" {
			return said, errors.New(message.Content)
		}
	}
	return said, nil
}

// change adds an idempotency key. With it the server recognizes a repeated call.
func (p platform) change(ctx context.Context, tool string, input object) (answer, error) {
	return p.call(ctx, tool, input, object{"idempotency_key": rand.Text()})
}

func (p platform) book(ctx context.Context) (string, error) {
	found, err := p.call(ctx, "usp_services_list", object{"query": "haircut"}, nil)
	if err != nil {
		return "", err
	}
	service := found.Services[0].ID
	day := func(after int) string { return time.Now().UTC().AddDate(0, 0, after).Format(time.DateOnly) }
	days := object{"service_id": service, "start_date": day(1), "end_date": day(14)}
	free, err := p.call(ctx, "usp_availability_query", days, nil)
	if err != nil {
		return "", err
	}
	slot := free.Slots[0].ID
	held, err := p.change(ctx, "usp_availability_hold", object{"service_id": service, "slot_id": slot})
	if err != nil {
		return "", err
	}
	made, err := p.change(ctx, "usp_bookings_create", object{
		"service_id": service,
		"slot_id":    slot,
		"hold_id":    held.Hold.ID,
		"buyer": object{
			"first_name": "Rosa", "last_name": "Díaz", "email": "rosa@example.com", "phone_number": "+12125550143",
		},
	})
	return made.Booking.ID + ", " + made.Booking.Status, err
}

// withKey sends the API key with every request.
type withKey string

func (key withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+string(key))
	return http.DefaultTransport.RoundTrip(request)
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: platform ADDRESS PROFILE")
	}
	ctx := context.Background()
	transport := &mcp.StreamableClientTransport{
		Endpoint:   os.Args[1],
		HTTPClient: &http.Client{Transport: withKey(os.Getenv("USP_API_KEY"))},
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	booked, err := platform{session, os.Args[2]}.book(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Booked:", booked)
}
