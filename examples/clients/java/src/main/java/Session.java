import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.customizer.McpSyncHttpClientRequestCustomizer;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** Calls the tools at one address, and returns their answers as data. */
class Session implements AutoCloseable {
  private final McpSyncClient client;

  Session(URI address) {
    this(address, (request, method, endpoint, body, context) -> {});
  }

  Session(URI address, McpSyncHttpClientRequestCustomizer onRequest) {
    var transport =
        HttpClientStreamableHttpTransport.builder(address.resolve("/").toString())
            .endpoint(address.getPath())
            .httpRequestCustomizer(onRequest)
            .build();
    client = McpClient.sync(transport).build();
    client.initialize();
  }

  /** If the tool refused the call, its text has the reason. */
  Map<?, ?> call(String tool, Map<String, Object> input) {
    var result = client.callTool(CallToolRequest.builder(tool).arguments(input).build());
    if (Boolean.TRUE.equals(result.isError())) throw new IllegalStateException(result.content().toString());
    return (Map<?, ?>) result.structuredContent();
  }

  /** The first element of a list in an answer. */
  static Map<?, ?> first(Map<?, ?> answer, String list) {
    return (Map<?, ?>) ((List<?>) answer.get(list)).get(0);
  }

  @Override
  public void close() {
    client.closeGracefully();
  }
}
