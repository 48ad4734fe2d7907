// Books with the Go SDK. The client needs only the address of the server:
//
//	go run ./book http://127.0.0.1:8080/mcp            prints a link to a page; the person books there
//	go run ./book http://127.0.0.1:8080/mcp --sign-in  the person signs in first, then the client books
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

// toolAnswer has the members of the answers that this example needs.
type toolAnswer struct {
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

func (a assistant) call(ctx context.Context, tool string, input object) (answer toolAnswer, err error) {
	result, err := a.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: input})
	if err != nil {
		return answer, err
	}
	// If the tool refused the call, its text has the reason.
	if err := result.GetError(); err != nil {
		return answer, err
	}
	data, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return answer, err
	}
	return answer, json.Unmarshal(data, &answer)
}

// firstSlot returns the first free time of the first service. A real assistant lets the person choose.
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

// bookAtOnce books for the person who signed in.
func (a assistant) bookAtOnce(ctx context.Context) (string, error) {
	// This tool needs a person who signed in, so the client now asks the person to sign in.
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

// bookByLink reserves a time, and waits until the person has booked it on the page of the link.
func (a assistant) bookByLink(ctx context.Context) (string, error) {
	slot, err := a.firstSlot(ctx)
	if err != nil {
		return "", err
	}
	held, err := a.call(ctx, "book", object{"slot_id": slot})
	if err != nil {
		return "", err
	}
	fmt.Println("Open", held.Link)
	for {
		time.Sleep(time.Second)
		now, err := a.call(ctx, "booking_status", object{"status_code": held.StatusCode})
		switch {
		case err != nil:
			return "", err
		case now.State == "lapsed":
			return "", errors.New("the link was not opened in time")
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
