use async_trait::async_trait;
use http::Extensions;
use httpsig_hyper::{
    ContentDigestType, HyperSigResult, MessageSignatureReq, RequestContentDigest,
    prelude::{AlgorithmName, HttpSignatureParams, SecretKey, message_component::HttpMessageComponentId},
};
use reqwest::{Body, Request, Response};
use reqwest_middleware::{Error, Middleware, Next};

const COMPONENTS: [&str; 7] =
    ["@method", "@authority", "@path", "usp-agent", "idempotency-key", "content-digest", "content-type"];

/// Signs each request.
pub struct Signer {
    key: SecretKey,
    key_id: String,
}

impl Signer {
    pub fn new(pem: &str, key_id: &str) -> HyperSigResult<Self> {
        let key = SecretKey::from_pem(&AlgorithmName::EcdsaP256Sha256, pem)?;
        Ok(Self { key, key_id: key_id.into() })
    }

    fn parameters(&self) -> HyperSigResult<HttpSignatureParams> {
        let components = COMPONENTS.map(HttpMessageComponentId::try_from).into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut parameters = HttpSignatureParams::try_new(&components)?;
        parameters.set_keyid(&self.key_id);
        Ok(parameters)
    }
}

#[async_trait]
impl Middleware for Signer {
    async fn handle(
        &self,
        request: Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        let request = http::Request::<Body>::try_from(request)?;
        let mut digested = request.set_content_digest(&ContentDigestType::Sha256).await.map_err(Error::middleware)?;
        let parameters = self.parameters().map_err(Error::middleware)?;
        digested.set_message_signature(&parameters, &self.key, None).await.map_err(Error::middleware)?;
        next.run(digested.map(Body::wrap).try_into()?, extensions).await
    }
}
