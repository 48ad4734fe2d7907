import java.net.URI;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Books as a platform, with the tools of the protocol at /usp/mcp. The platform needs an API key of the business, which
 * `npm run usp -- clients add NAME` prints:
 *
 *   USP_API_KEY=usk_… java -cp 'target/classes:target/dependency/*' Platform \
 *     http://127.0.0.1:8080/usp/mcp https://platform.example/profile.json
 *
 * The second address is the address of the profile of the platform. docs/platforms.md describes profiles.
 */
public class Platform {
  private final Session session;
  private final String profile;

  Platform(Session session, String profile) {
    this.session = session;
    this.profile = profile;
  }

  public static void main(String[] args) {
    var key = "Bearer " + System.getenv("USP_API_KEY");
    try (var session =
        new Session(
            URI.create(args[0]),
            (request, method, endpoint, body, context) -> request.header("authorization", key))) {
      var booking = new Platform(session, args[1]).book();
      System.out.println("Booked: " + booking.get("id") + ", " + booking.get("status"));
    }
  }

  Map<?, ?> book() {
    var service = Session.first(call("usp_services_list", Map.of("query", "haircut"), Map.of()), "services").get("id");
    var start = LocalDate.now().plusDays(1);
    var days = Map.of("service_id", service, "start_date", start.toString(), "end_date", start.plusDays(13).toString());
    var slot = Session.first(call("usp_availability_query", days, Map.of()), "slots").get("id");
    var hold = (Map<?, ?>) change("usp_availability_hold", Map.of("service_id", service, "slot_id", slot)).get("hold");
    var buyer =
        Map.of(
            "first_name", "Rosa",
            "last_name", "Díaz",
            "email", "rosa@example.com",
            "phone_number", "+12125550143");
    var wish = Map.of("service_id", service, "slot_id", slot, "hold_id", hold.get("id"), "buyer", buyer);
    return (Map<?, ?>) change("usp_bookings_create", wish).get("booking");
  }

  /** Each call names the profile of the platform. */
  Map<?, ?> call(String tool, Map<String, ?> input, Map<String, ?> more) {
    var usp = new HashMap<String, Object>(more);
    usp.put("profile", profile);
    var arguments = new HashMap<String, Object>(input);
    arguments.put("_meta", Map.of("usp", usp));
    var answer = session.call(tool, arguments);
    // If a rule of the business forbids the call, the answer has the reason. If the server cannot process the call, session.call
    // throws.
    if (answer.get("messages") instanceof List<?> messages)
      for (var message : messages)
        if (message instanceof Map<?, ?> said && "error".equals(said.get("type")))
          throw new IllegalStateException(String.valueOf(said.get("content")));
    return answer;
  }

  /** A change has an idempotency key. With it the server recognizes a repeated call. */
  Map<?, ?> change(String tool, Map<String, ?> input) {
    return call(tool, input, Map.of("idempotency_key", UUID.randomUUID().toString()));
  }
}
