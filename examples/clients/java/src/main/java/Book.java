import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * Books with the Java SDK. The client needs only the address of the server, and prints a link to a page. The person books there:
 *
 *   java -cp 'target/classes:target/dependency/*' Book http://127.0.0.1:8080/mcp
 *
 * This SDK has no sign-in. Use another library for it.
 */
public class Book {
  public static void main(String[] args) throws InterruptedException {
    try (var assistant = new Session(URI.create(args.length > 0 ? args[0] : "http://127.0.0.1:8080/mcp"))) {
      System.out.println("Booked: " + book(assistant));
    }
  }

  /** Finds a service and a time, and books. A real assistant lets the person choose. */
  static Object book(Session assistant) throws InterruptedException {
    var service = Session.first(assistant.call("find_services", Map.of("query", "haircut")), "services");
    var free = assistant.call("find_times", Map.of("service_ids", List.of(service.get("service_id"))));
    var slot = Session.first(Session.first(free, "times"), "slots");

    var held = assistant.call("book", Map.of("slot_id", slot.get("slot_id")));
    System.out.println("Open " + held.get("link"));
    while (true) {
      Thread.sleep(1000);
      var status = assistant.call("booking_status", Map.of("status_code", held.get("status_code")));
      if ("lapsed".equals(status.get("state"))) throw new IllegalStateException("The link was not opened in time.");
      if ("booked".equals(status.get("state"))) return status.get("reference");
    }
  }
}
