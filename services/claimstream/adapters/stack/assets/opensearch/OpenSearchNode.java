import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/**
 * One OpenSearch node from its jars, also for root.
 *
 * <p>The stock main class refuses to run as root and wants an unpacked distribution.
 */
public final class OpenSearchNode extends Node {
    private OpenSearchNode(Environment environment) {
        super(environment, List.of(Netty4Plugin.class, CommonAnalysisPlugin.class), true);
    }

    /** Starts a node; each argument is one setting, {@code name=value}. SIGTERM closes it. */
    public static void main(String[] arguments) throws Exception {
        Settings.Builder settings = Settings.builder();
        for (String argument : arguments) {
            String[] pair = argument.split("=", 2);
            settings.put(pair[0], pair[1]);
        }
        Environment environment =
                InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), null, () -> "local");
        OpenSearchNode node = new OpenSearchNode(environment);
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node, closed)));
        node.start();
        closed.await(); // every thread of a node is a daemon: without this the JVM ends here
    }

    private static void close(OpenSearchNode node, CountDownLatch closed) {
        try {
            node.close();
        } catch (IOException failure) {
            failure.printStackTrace();
        } finally {
            closed.countDown();
        }
    }
}
