// Books with the Go SDK, from nothing but the address:
//
//	go run ./book http://127.0.0.1:8080/mcp            by a link on which the person books
//	go run ./book http://127.0.0.1:8080/mcp --sign-in  at once, for the person who signs in
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type object = map[string]any

// told is what the tools say, as far as it matters here.
type told struct {
	Services []struct {
		ServiceID string `json:"service_id"`
	}
	Times []struct {
		Slots []struct {
			SlotID string `json:"slot_id"`
		}
	}
	State, Link, Reference string
	StatusCode             string `json:"status_code"`
	BookingID              string `json:"booking_id"`
}

// assistant calls the tools of one session.
type assistant struct{ *mcp.ClientSession }

func (a assistant) call(ctx context.Context, tool string, input object) (answer told, err error) {
	result, err := a.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: input})
	if err != nil {
		return answer, err
	}
	// What a tool refuses is told in its text.
	if err := result.GetError(); err != nil {
		return answer, err
	}
	data, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return answer, err
	}
	return answer, json.Unmarshal(data, &answer)
}

// firstSlot is good enough here; a model reads the texts and chooses.
func (a assistant) firstSlot(ctx context.Context) (string, error) {
	found, err := a.call(ctx, "find_services", object{"query": "haircut"})
	if err != nil {
		return "", err
	}
	free, err := a.call(ctx, "find_times", object{"service_ids": []string{found.Services[0].ServiceID}})
	if err != nil {
		return "", err
	}
	return free.Times[0].Slots[0].SlotID, nil
}

// bookAtOnce books for whoever signed in.
func (a assistant) bookAtOnce(ctx context.Context) (string, error) {
	// Whatever is of no use without somebody who signed in asks for it.
	if _, err := a.call(ctx, "my_bookings", object{}); err != nil {
		return "", err
	}
	slot, err := a.firstSlot(ctx)
	if err != nil {
		return "", err
	}
	person := object{"first_name": "Rosa", "last_name": "Díaz"}
	booked, err := a.call(ctx, "book", object{"slot_id": slot, "person": person})
	return booked.BookingID, err
}

// bookByLink keeps a time, until the person has booked it on a page.
func (a assistant) bookByLink(ctx context.Context) (string, error) {
	slot, err := a.firstSlot(ctx)
	if err != nil {
		return "", err
	}
	kept, err := a.call(ctx, "book", object{"slot_id": slot})
	if err != nil {
		return "", err
	}
	fmt.Println("Open", kept.Link)
	for {
		time.Sleep(time.Second)
		now, err := a.call(ctx, "booking_status", object{"status_code": kept.StatusCode})
		switch {
		case err != nil:
			return "", err
		case now.State == "lapsed":
			return "", errors.New("nobody opened the link in time")
		case now.State == "booked":
			return now.Reference, nil
		}
	}
}

func main() {
	address, signsIn := "http://127.0.0.1:8080/mcp", len(os.Args) > 2 && os.Args[2] == "--sign-in"
	if len(os.Args) > 1 {
		address = os.Args[1]
	}
	ctx := context.Background()
	transport := &mcp.StreamableClientTransport{Endpoint: address}
	book := assistant.bookByLink
	if signsIn {
		transport.OAuthHandler, book = signIn(), assistant.bookAtOnce
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	reference, err := book(assistant{session}, ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Booked:", reference)
}
