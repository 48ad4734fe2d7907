//! Books with the Rust SDK. The client needs only the address of the server:
//!
//!     cargo run --bin book http://127.0.0.1:8080/mcp            prints a link to a page; the person books there
//!     cargo run --bin book http://127.0.0.1:8080/mcp --sign-in  the person signs in first, then the client books

use std::{env, error::Error, time::Duration};

use example::sign_in;
use rmcp::{
    RoleClient, ServiceExt,
    model::CallToolRequestParams,
    service::RunningService,
    transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig as Config},
};
use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

struct Assistant(RunningService<RoleClient, ()>);

impl Assistant {
    /// Calls a tool, and returns its answer as data. If the tool refused the call, its text has the reason.
    async fn call(&self, tool: &'static str, input: Value) -> Result<Value> {
        let input = input.as_object().cloned().unwrap_or_default();
        let said = self.0.call_tool(CallToolRequestParams::new(tool).with_arguments(input)).await?;
        if said.is_error == Some(true) {
            return Err(format!("{:?}", said.content).into());
        }
        Ok(said.structured_content.unwrap_or_default())
    }

    /// The first free time of the first service. A real assistant lets the person choose.
    async fn first_slot(&self) -> Result<Value> {
        let found = self.call("find_services", json!({ "query": "haircut" })).await?;
        let service = &found["services"][0]["service_id"];
        let free = self.call("find_times", json!({ "service_ids": [service] })).await?;
        Ok(free["times"][0]["slots"][0]["slot_id"].clone())
    }

    /// Books for the person who signed in.
    async fn book_at_once(&self) -> Result<Value> {
        let person = json!({ "first_name": "Rosa", "last_name": "Díaz" });
        let slot = self.first_slot().await?;
        let booked = self.call("book", json!({ "slot_id": slot, "person": person })).await?;
        Ok(booked["booking_id"].clone())
    }

    /// Reserves a time, and waits until the person has booked it on the page of the link.
    async fn book_by_link(&self) -> Result<Value> {
        let held = self.call("book", json!({ "slot_id": self.first_slot().await? })).await?;
        println!("Open {}", held["link"].as_str().unwrap_or_default());
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let status = self.call("booking_status", json!({ "status_code": held["status_code"] })).await?;
            match status["state"].as_str() {
                Some("booked") => return Ok(status["reference"].clone()),
                Some("lapsed") => return Err("The link was not opened in time.".into()),
                _ => {}
            }
        }
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut args = env::args().skip(1);
    let address = args.next().unwrap_or("http://127.0.0.1:8080/mcp".into());
    let config = Config::with_uri(address.as_str());
    let booked = if args.next().as_deref() == Some("--sign-in") {
        let transport = StreamableHttpClientTransport::with_client(sign_in(&address).await?, config);
        Assistant(().serve(transport).await?).book_at_once().await?
    } else {
        Assistant(().serve(StreamableHttpClientTransport::from_config(config)).await?).book_by_link().await?
    };
    println!("Booked: {}", booked.as_str().unwrap_or_default());
    Ok(())
}
