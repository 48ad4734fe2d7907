//! Signs or verifies one message with httpsig-hyper. It reads the message as JSON from the standard input, and prints
//! the result as JSON.

use std::{collections::HashMap, error::Error, io};

use http::{HeaderMap, Request, Response};
use httpsig_hyper::{
    MessageSignature, MessageSignatureReq, MessageSignatureRes, RequestContentDigest, ResponseContentDigest,
    prelude::{AlgorithmName, HttpSignatureParams, PublicKey, SecretKey, message_component::HttpMessageComponentId},
};
use serde::Deserialize;
use serde_json::{Value, json};

type Failable<T> = Result<T, Box<dyn Error>>;

const ALGORITHM: AlgorithmName = AlgorithmName::EcdsaP256Sha256;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Message {
    task: String,
    method: String,
    url: String,
    status: Option<u16>,
    headers: HashMap<String, String>,
    body: String,
    components: Vec<String>,
    keyid: String,
    pem: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Failable<()> {
    let message: Message = serde_json::from_reader(io::stdin())?;
    let result = match message.task.as_str() {
        "sign" => message.signed().await?,
        _ => json!({ "verified": message.verified().await.is_ok() }),
    };
    println!("{result}");
    Ok(())
}

impl Message {
    async fn signed(self) -> Failable<Value> {
        let components: Result<Vec<_>, _> =
            self.components.iter().map(|name| HttpMessageComponentId::try_from(name.as_str())).collect();
        let mut parameters = HttpSignatureParams::try_new(&components?)?;
        parameters.set_keyid(&self.keyid);
        let key = SecretKey::from_pem(&ALGORITHM, &self.pem)?;
        let mut request = self.request()?;
        request.set_message_signature(&parameters, &key, None).await?;
        let header = |name| request.headers()[name].to_str();
        Ok(json!({ "signature": header("signature")?, "signature-input": header("signature-input")? }))
    }

    async fn verified(self) -> Failable<()> {
        let key = PublicKey::from_pem(&ALGORITHM, &self.pem)?;
        if let Some(status) = self.status {
            let mut response = Response::builder().status(status).body(self.body.clone())?;
            *response.headers_mut() = self.headers()?;
            response.verify_message_signature(&key, Some(&self.keyid), None::<&Request<String>>).await?;
            require_digest(&response)?;
            response.verify_content_digest().await?;
        } else {
            let request = self.request()?;
            request.verify_message_signature(&key, Some(&self.keyid)).await?;
            require_digest(&request)?;
            request.verify_content_digest().await?;
        }
        Ok(())
    }

    fn request(&self) -> Failable<Request<String>> {
        let request = Request::builder().method(self.method.as_str()).uri(&self.url);
        let mut request = request.body(self.body.clone())?;
        *request.headers_mut() = self.headers()?;
        Ok(request)
    }

    fn headers(&self) -> Failable<HeaderMap> {
        Ok(HeaderMap::try_from(&self.headers)?)
    }
}

/// A signature without the digest does not protect the body.
fn require_digest(message: &impl MessageSignature<Error = impl Error + 'static>) -> Failable<()> {
    let digest = HttpMessageComponentId::try_from("content-digest")?;
    let parameters = message.get_signature_params()?;
    if parameters.values().all(|signature| signature.covered_components.contains(&digest)) {
        return Ok(());
    }
    Err("A signature does not cover content-digest.".into())
}
