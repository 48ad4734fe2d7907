import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import okhttp3.Request;
import okio.Buffer;

/** Signs HTTP requests as RFC 9421 describes, with ECDSA and the curve P-256. */
class Signer {
  private static final List<String> HEADERS =
      List.of("usp-agent", "idempotency-key", "content-digest", "content-type");

  private final PrivateKey key;
  private final String keyId;

  Signer(String pem, String keyId) throws GeneralSecurityException {
    var encoded = Base64.getMimeDecoder().decode(pem.replaceAll("-----.+-----", ""));
    this.key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
    this.keyId = keyId;
  }

  Request sign(Request request) throws IOException {
    var body = new Buffer();
    request.body().writeTo(body);
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(body.readByteArray());
      var digested = request.newBuilder().header("Content-Digest", "sha-256=" + bytes(digest)).build();
      var parameters = parameters();
      return digested
          .newBuilder()
          .header("Signature-Input", "sig1=" + parameters)
          .header("Signature", "sig1=" + bytes(signature(base(digested, parameters))))
          .build();
    } catch (GeneralSecurityException error) {
      throw new IOException(error);
    }
  }

  private String parameters() {
    var headers = HEADERS.stream().map(name -> " \"" + name + "\"").collect(Collectors.joining());
    return "(\"@method\" \"@authority\" \"@path\"%s);created=%d;keyid=\"%s\""
        .formatted(headers, Instant.now().getEpochSecond(), keyId);
  }

  private static String base(Request request, String parameters) {
    var url = request.url();
    var base = new StringBuilder();
    base.append("\"@method\": ").append(request.method());
    base.append("\n\"@authority\": ").append(request.header("Host"));
    base.append("\n\"@path\": ").append(url.encodedPath());
    for (var name : HEADERS) base.append("\n\"%s\": %s".formatted(name, request.header(name)));
    return base.append("\n\"@signature-params\": ").append(parameters).toString();
  }

  private byte[] signature(String base) throws GeneralSecurityException {
    // In this format, the signature has two numbers of 32 bytes, as RFC 9421 requires.
    var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initSign(key);
    signature.update(base.getBytes(UTF_8));
    return signature.sign();
  }

  /** Writes bytes as a structured header does (RFC 8941). */
  private static String bytes(byte[] content) {
    return ":" + Base64.getEncoder().encodeToString(content) + ":";
  }
}
