//! Books and cancels with a client that openapi-generator generated from the OpenAPI document. httpsig-hyper signs the
//! calls. The arguments are the address of the server, the profile of the platform, and the id of its key. The standard
//! input has the key.

mod signer;

use std::{env, error::Error, io};

use chrono::{Days, Utc};
use reqwest::Client;
use reqwest_middleware::ClientBuilder;
use serde_json::json;
use usp::{
    apis::{availability_api::query_availability, bookings_api::*, configuration::Configuration},
    models::{BookingBuyer, CancelBookingRequest, CreateBookingRequest, QueryAvailabilityRequest},
};

use signer::Signer;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let [origin, profile, key_id] = env::args().skip(1).collect::<Vec<_>>().try_into().expect("three arguments");
    let signer = Signer::new(&io::read_to_string(io::stdin())?, &key_id)?;
    let plain = Configuration { base_path: origin, ..Default::default() };
    let client = ClientBuilder::new(Client::new()).with(signer).build();
    let signing = Configuration { client, ..plain.clone() };
    let agent = format!("profile=\"{profile}\"");

    let query = QueryAvailabilityRequest::new("svc_haircut".into(), day(2), day(9));
    let found = query_availability(&plain, query, None, None).await?;
    let slot = found.slots.expect("slots").swap_remove(0);

    let buyer = BookingBuyer::new("Alice".into(), "Williams".into(), "alice@example.com".into());
    let body = CreateBookingRequest::new("svc_haircut".into(), slot.id, buyer);
    let booked = create_booking(&signing, &agent, body, Some(&new_key()), None).await?;
    let booking = booked.booking.expect("a booking");

    let body = CancelBookingRequest::new();
    let canceled = cancel_booking(&signing, &agent, &booking.id, Some(&new_key()), None, None, Some(body)).await?;
    let statuses = [booking.status, canceled.booking.expect("a booking").status];
    println!("{}", json!({ "id": booking.id, "statuses": statuses }));
    Ok(())
}

fn day(days: u64) -> String {
    (Utc::now().date_naive() + Days::new(days)).to_string()
}

fn new_key() -> String {
    Utc::now().to_rfc3339()
}
