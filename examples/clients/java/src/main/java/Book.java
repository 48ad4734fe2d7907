import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * Books with the Java SDK, from nothing but the address, by a link on which the person books:
 *
 *   java -cp 'target/classes:target/dependency/*' Book http://127.0.0.1:8080/mcp
 *
 * To sign somebody in is left to other libraries by this SDK.
 */
public class Book {
  public static void main(String[] args) throws InterruptedException {
    try (var assistant = new Session(URI.create(args.length > 0 ? args[0] : "http://127.0.0.1:8080/mcp"))) {
      System.out.println("Booked: " + book(assistant));
    }
  }

  /** From a wish to a booking. A model reads the texts and chooses. */
  static Object book(Session assistant) throws InterruptedException {
    var service = Session.first(assistant.call("find_services", Map.of("query", "haircut")), "services");
    var free = assistant.call("find_times", Map.of("service_ids", List.of(service.get("service_id"))));
    var slot = Session.first(Session.first(free, "times"), "slots");

    var kept = assistant.call("book", Map.of("slot_id", slot.get("slot_id")));
    System.out.println("Open " + kept.get("link"));
    while (true) {
      Thread.sleep(1000);
      var told = assistant.call("booking_status", Map.of("status_code", kept.get("status_code")));
      if ("lapsed".equals(told.get("state"))) throw new IllegalStateException("Nobody opened the link in time.");
      if ("booked".equals(told.get("state"))) return told.get("reference");
    }
  }
}
