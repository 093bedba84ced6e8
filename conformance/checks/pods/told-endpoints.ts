import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf } from '../../verbs/states.ts';
import { run } from './node-play.ts';
import { servePods } from './service-pods.ts';

const at = { group: '', version: 'v1', resource: 'endpoints', kind: 'Endpoints', namespaced: true } as const;

/** The Endpoints of a Service tell of each of its pods where it is, on which port, and whether it is ready. */
export async function tellsEndpoints(context: RuleContext): Promise<void> {
  const { kind, waitUntil, longPatience } = context;
  const ports = [8080, 9090];
  const { pods, service } = await servePods(context, ports);
  const look = async () => linesOf((await kind(at).get(service)).body?.subsets ?? []).join('\n');
  const until = (what: string, states: readonly string[]) => {
    const line = (pod: Json, index: number): string =>
      [nameOf(pod), pod.status.podIP, pod.spec.nodeName, ports[index], states[index]].join();
    return waitUntil(what, look, (seen) => seen === pods.map(line).sort().join('\n'), { limit: longPatience });
  };
  await until('both pods are told of', ['ready', 'ready']);
  const [first] = pods;
  await run(context, first, { ip: first.status.podIP, ready: false });
  await until('one is ready no more', ['not ready', 'ready']);
}

/** A line for each address of each subset. */
const linesOf = (subsets: readonly Json[]): readonly string[] =>
  subsets
    .flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }: Json) => {
      const line = (state: string) => (address: Json) =>
        [address.targetRef?.name, address.ip, address.nodeName, ports.map((port: Json) => port.port), state].join();
      return [...addresses.map(line('ready')), ...notReadyAddresses.map(line('not ready'))];
    })
    .sort();
