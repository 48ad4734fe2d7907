import java.time.Instant;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.model.component.VEvent;

/** Reads a calendar file with ical4j from the standard input, and prints its events as JSON. */
class ReadCalendar {
  public static void main(String[] arguments) throws Exception {
    var calendar = new CalendarBuilder().build(System.in);
    var faults = calendar.validate().getEntries().stream().map(fault -> json(fault.getMessage())).toList();
    List<VEvent> events = calendar.getComponents("VEVENT");
    System.out.println("{\"faults\":" + faults + ",\"events\":" + events.stream().map(ReadCalendar::json).toList() + "}");
  }

  private static String json(VEvent event) {
    Map<String, String> members = new TreeMap<>();
    for (var name : List.of("uid", "summary", "description", "location", "status"))
      event.getProperty(name.toUpperCase()).ifPresent(property -> members.put(name, json(property.getValue())));
    event.getProperty("SEQUENCE").ifPresent(property -> members.put("sequence", property.getValue()));
    members.put("start", instant(event.getDateTimeStart().getDate()));
    members.put("end", instant(event.getDateTimeEnd().getDate()));
    return members.entrySet().stream()
        .map(member -> json(member.getKey()) + ":" + member.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String instant(TemporalAccessor date) {
    return json(Instant.from(date).toString());
  }

  private static String json(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\t", "\\t") + '"';
  }
}
