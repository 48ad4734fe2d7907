import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.customizer.McpSyncHttpClientRequestCustomizer;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** The tools at an address, and what they say as data. */
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

  /** What a tool refuses is told in its text. */
  Map<?, ?> call(String tool, Map<String, Object> input) {
    var result = client.callTool(CallToolRequest.builder(tool).arguments(input).build());
    if (Boolean.TRUE.equals(result.isError())) throw new IllegalStateException(result.content().toString());
    return (Map<?, ?>) result.structuredContent();
  }

  /** The first of a list, which is good enough here. */
  static Map<?, ?> first(Map<?, ?> answer, String list) {
    return (Map<?, ?>) ((List<?>) answer.get(list)).get(0);
  }

  @Override
  public void close() {
    client.closeGracefully();
  }
}
