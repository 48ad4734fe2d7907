//! Books as a platform, with the tools of the protocol at /usp/mcp. The platform needs an API key of the business, which
//! `npm run usp -- clients add NAME` prints:
//!
//!     USP_API_KEY=usk_… cargo run --bin platform http://127.0.0.1:8080/usp/mcp https://platform.example/profile.json
//!
//! The second address is the address of the profile of the platform. docs/platforms.md describes profiles.

use std::{env, error::Error};

use chrono::{Days, Utc};
use rmcp::{
    RoleClient, ServiceExt,
    model::CallToolRequestParams,
    service::RunningService,
    transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig as Config},
};
use serde_json::{Value, json};
use uuid::Uuid;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

struct Platform {
    session: RunningService<RoleClient, ()>,
    profile: String,
}

impl Platform {
    /// Each call names the profile of the platform.
    async fn call(&self, tool: &'static str, input: Value) -> Result<Value> {
        self.send(tool, input, json!({ "profile": self.profile })).await
    }

    /// A change also has an idempotency key. With it the server recognizes a repeated call.
    async fn change(&self, tool: &'static str, input: Value) -> Result<Value> {
        let key = Uuid::new_v4().to_string();
        self.send(tool, input, json!({ "profile": self.profile, "idempotency_key": key })).await
    }

    async fn send(&self, tool: &'static str, input: Value, usp: Value) -> Result<Value> {
        let mut input = input.as_object().cloned().unwrap_or_default();
        input.insert("_meta".into(), json!({ "usp": usp }));
        let said = self.session.call_tool(CallToolRequestParams::new(tool).with_arguments(input)).await?;
        let answer = said.structured_content.unwrap_or_default();
        // If a rule of the business forbids the call, the answer has the reason. If the server cannot process the call, call_tool
        // returned an error.
        match answer["messages"].as_array().and_then(|all| all.iter().find(|one| one["type"] == "error")) {
            Some(refusal) => Err(refusal["content"].to_string().into()),
            None => Ok(answer),
        }
    }

    async fn book(&self) -> Result<Value> {
        let found = self.call("usp_services_list", json!({ "query": "haircut" })).await?;
        let service_id = &found["services"][0]["id"];
        let day = |after| Utc::now().date_naive() + Days::new(after);
        let days = json!({ "service_id": service_id, "start_date": day(1), "end_date": day(14) });
        let free = self.call("usp_availability_query", days).await?;
        let slot_id = &free["slots"][0]["id"];
        let slot = json!({ "service_id": service_id, "slot_id": slot_id });
        let held = self.change("usp_availability_hold", slot).await?;
        let wish = json!({
            "service_id": service_id,
            "slot_id": slot_id,
            "hold_id": held["hold"]["id"],
            "buyer": {
                "first_name": "Rosa",
                "last_name": "Díaz",
                "email": "rosa@example.com",
                "phone_number": "+12125550143",
            },
        });
        Ok(self.change("usp_bookings_create", wish).await?["booking"].clone())
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut args = env::args().skip(1);
    let (Some(address), Some(profile)) = (args.next(), args.next()) else {
        return Err("usage: platform ADDRESS PROFILE".into());
    };
    let config = Config::with_uri(address).auth_header(env::var("USP_API_KEY")?);
    let session = ().serve(StreamableHttpClientTransport::from_config(config)).await?;
    let booking = Platform { session, profile }.book().await?;
    let member = |name: &str| booking[name].as_str().unwrap_or_default();
    println!("Booked: {}, {}", member("id"), member("status"));
    Ok(())
}
