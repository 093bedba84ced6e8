import type { StartOptions } from '../options.ts';
import { unlessNotFound } from '../runtime/api-error.ts';
import type { KubeObject } from '../runtime/kube-object.ts';
import { type Resource, serviceAccounts } from '../runtime/resources.ts';
import { type RunningControllers, startControllers } from '../start.ts';
import { eventually, startLab } from './lab.fixture.ts';

export const namespace = 'default';

/** A server with controllers that have begun to work, for tests. */
export async function startCluster(options: StartOptions = {}, serverOptions: Parameters<typeof startLab>[0] = {}) {
  const lab = await startLab(serverOptions);
  const { client, server } = lab;
  const running: RunningControllers = await startControllers({
    controllers: ['*'],
    pretenders: true,
    ...options,
    kubeconfig: lab.kubeconfig,
  });
  const there = <T extends KubeObject>(resource: Resource<T>, name: string, where = namespace) =>
    eventually(() => unlessNotFound(client.get(resource, { namespace: where, name })));
  await there(serviceAccounts, 'default');
  return {
    client,
    server,
    kubeconfig: lab.kubeconfig,
    /** Waits until there is such an object. */
    there,
    /** Waits until there is no such object any longer. */
    gone: <T extends KubeObject>(resource: Resource<T>, name: string, where = namespace) =>
      eventually(async () =>
        (await unlessNotFound(client.get(resource, { namespace: where, name }))) ? undefined : true,
      ),
    async stop() {
      await running.stop();
      await lab.stop();
    },
  };
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;
