// Shows the OpenAPI document of this server with Swagger UI. No other server validates the document.
SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '/docs/api/json',
  deepLinking: true,
  tryItOutEnabled: true,
  supportedSubmitMethods: ['get', 'post', 'put', 'delete'],
  validatorUrl: null,
})
