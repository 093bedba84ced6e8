import type { StartOptions } from '../controllers/index.ts';
import type { NodeKeys } from './certificates/node-keys.ts';
import type { Closers } from './closers.ts';
import { type Access, kubeconfigFor } from './kubeconfig.ts';
import type { ServerOptions } from './options/options.ts';
import type { Door } from './serving.ts';
import type { Store } from './store/store.ts';
import type { KeyPair } from './x509/self-signed.ts';

/** What the server shares with the controllers beside it: what they make has to be trusted here. */
interface SharedKeys {
  readonly serviceAccountPrivateKey: string;
  readonly nodes: NodeKeys | undefined;
  readonly signing?: KeyPair;
}

/** What the controllers beside a server know of it. */
interface Beside extends Pick<Door, 'announceEnd'> {
  readonly access: Access;
  readonly keys: SharedKeys;
  /** Whether others have the same objects. */
  readonly store: Pick<Store, 'isShared'>;
}

/** The reference controllers are clients like any other; they are loaded only when they are asked for. */
export async function startControllersBeside(
  options: ServerOptions,
  { access, keys: { serviceAccountPrivateKey, nodes, signing }, store, announceEnd }: Beside,
  closers: Closers,
): Promise<void> {
  const { controllers, clusterSigningCertFile, clusterSigningKeyFile, clusterSigningDuration, log } = options;
  const { ingressAddress, ingressHttpPort, ingressHttpsPort } = options;
  const { nodeNames, nodeRuntime, image, nodeHostPaths, volumesDir, nodeCertificatesDir, tlsCertFile } = options;
  if (controllers.length === 0) return;
  const { startControllers, startInTurn } = await import('../controllers/index.ts');
  const given: StartOptions = {
    // They go on when the certificate is renewed.
    kubeconfig: kubeconfigFor({ ...access, ...(tlsCertFile && { authorityFile: tlsCertFile }) }),
    controllers,
    pretenders: true,
    clusterSigningDuration,
    ingressAddress,
    ingressHttpPort,
    ingressHttpsPort,
    serviceAccountPrivateKey,
    nodeNames,
    nodeRuntime,
    image,
    nodeHostPaths,
    ...(volumesDir && { volumesDir }),
    ...(nodeCertificatesDir && { nodeCertificatesDir }),
    ...(nodes && { nodeClientCa: nodes.client.certificate, nodeServing: nodes.serving }),
    ...(signing && { signingAuthority: signing }),
    ...(clusterSigningCertFile && { clusterSigningCertFile }),
    ...(clusterSigningKeyFile && { clusterSigningKeyFile }),
    ...(log && { log: { info() {}, error: (message, error) => log.error(message, error) } }),
  };
  const { clock } = options;
  const running = store.isShared ? await startInTurn(given, clock) : await startControllers(given, { clock });
  closers.add(() => running.stop());
  // They are at work as long as the server serves on.
  closers.add(announceEnd);
}
