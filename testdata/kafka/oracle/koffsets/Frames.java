package koffsets;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The oracles' way to talk: byte strings, each behind its length as an int32, -1 for null. A question is one byte
 * string, its answer as many as the oracle gives.
 */
final class Frames {
  interface Oracle {
    /** Answers with byte strings, null, or text. */
    Object[] answer(byte[] question) throws Exception;
  }

  private Frames() {}

  /** Answers standard input on standard output until it ends, on a thread with the stack of a worker's. */
  static void serve(Oracle oracle) throws Exception {
    Throwable[] failed = new Throwable[1];
    Thread thread = new Thread(null, () -> {
      try {
        loop(oracle);
      } catch (Throwable t) {
        failed[0] = t;
      }
    }, "oracle", 1 << 20);
    thread.start();
    thread.join();
    if (failed[0] != null) {
      failed[0].printStackTrace();
      System.exit(1);
    }
    System.exit(0); // whatever threads Kafka's clients have left
  }

  private static void loop(Oracle oracle) throws Exception {
    DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16));
    while (true) {
      if (in.available() == 0) {
        out.flush();
      }
      int size;
      try {
        size = in.readInt();
      } catch (EOFException e) {
        return;
      }
      byte[] question = null;
      if (size >= 0) {
        question = new byte[size];
        in.readFully(question);
      }
      for (Object part : oracle.answer(question)) {
        write(out, part);
      }
    }
  }

  private static void write(DataOutputStream out, Object part) throws IOException {
    byte[] bytes = part instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : (byte[]) part;
    out.writeInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }
}
