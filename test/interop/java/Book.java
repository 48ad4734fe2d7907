import com.google.gson.Gson;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import okhttp3.OkHttpClient;
import usp.ApiClient;
import usp.api.AvailabilityApi;
import usp.api.BookingsApi;
import usp.model.BookingBuyer;
import usp.model.CancelBookingRequest;
import usp.model.CreateBookingRequest;
import usp.model.QueryAvailabilityRequest;

/**
 * Books and cancels with a client that openapi-generator generated from the OpenAPI document. The arguments are the
 * address of the server, the profile of the platform, and the id of its key. The standard input has the key.
 */
class Book {
  public static void main(String[] arguments) throws Exception {
    var origin = arguments[0];
    var signer = new Signer(new String(System.in.readAllBytes()), arguments[2]);
    // OkHttp adds its own headers before a network interceptor runs. A network interceptor can sign them.
    var http = new OkHttpClient.Builder().addNetworkInterceptor(chain -> chain.proceed(signer.sign(chain.request())));
    var signing = new BookingsApi(new ApiClient(http.build()).setBasePath(origin));
    var agent = "profile=\"" + arguments[1] + "\"";

    var service = "svc_haircut";
    var query = new QueryAvailabilityRequest().serviceId(service).startDate(day(2)).endDate(day(9));
    var found = new AvailabilityApi(new ApiClient().setBasePath(origin)).queryAvailability(query, null, null);

    var buyer = new BookingBuyer().firstName("Alice").lastName("Williams").email("alice@example.com");
    var body = new CreateBookingRequest().serviceId(service).slotId(found.getSlots().get(0).getId()).buyer(buyer);
    var booking = signing.createBooking(agent, body, newKey(), null).getBooking();
    var canceled = signing.cancelBooking(agent, booking.getId(), newKey(), null, null, new CancelBookingRequest());
    var statuses = List.of(booking.getStatus(), canceled.getBooking().getStatus());
    System.out.println(new Gson().toJson(Map.of("id", booking.getId(), "statuses", statuses)));
    // OkHttp keeps its connections and threads for a while. They must not delay the end of the program.
    System.exit(0);
  }

  private static String day(int days) {
    return LocalDate.now(ZoneOffset.UTC).plusDays(days).toString();
  }

  private static String newKey() {
    return UUID.randomUUID().toString();
  }
}
