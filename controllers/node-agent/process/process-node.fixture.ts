import { CoreV1Api, KubeConfig, type V1Container, type V1PodSpec } from '@kubernetes/client-node';
import type { ServerOptions } from '../../../server/options/options.ts';
import { startServer } from '../../../server/start.ts';
import { eventually } from '../../testing/lab.fixture.ts';

export const namespace = 'default';

/** A container that runs this script. */
export const shell = (script: string, more: Partial<V1Container> = {}): V1Container => ({
  name: 'c',
  image: 'any',
  command: ['sh', '-c', script],
  ...more,
});

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A server with a node that runs containers as processes, for tests. */
export async function startProcessNode(options: Partial<ServerOptions> = {}) {
  const image = [`node=${process.execPath}`];
  const server = await startServer({ controllers: ['*'], nodeRuntime: 'process', image, ...options });
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  const api = config.makeApiClient(CoreV1Api);
  await eventually(() => api.readNamespacedServiceAccount({ namespace, name: 'default' }).catch(() => undefined));
  return {
    ...{ server, config, api },
    /** Makes a pod of one container, which is not started again. */
    create: (name: string, container: V1Container, spec: Partial<V1PodSpec> = {}) =>
      api.createNamespacedPod({
        namespace,
        body: { metadata: { name }, spec: { restartPolicy: 'Never', ...spec, containers: [container] } },
      }),
    /** The pod once it is in this phase. */
    phase: (name: string, wanted: string) =>
      eventually(async () => {
        const pod = await api.readNamespacedPod({ namespace, name });
        return pod.status?.phase === wanted ? pod : undefined;
      }),
  };
}

export type ProcessNode = Awaited<ReturnType<typeof startProcessNode>>;
