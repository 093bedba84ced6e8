import { afterAll, beforeAll, expect, test } from 'vitest';
import { startControllers } from '../start.ts';
import { eventually, type Lab, startLab } from '../testing/lab.fixture.ts';
import { managedBy } from './kube-object.ts';
import { makeController } from './make-controller.ts';
import { type ConfigMap, configMaps, secrets } from './resources.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.stop());

const place = { namespace: 'default' };

/** Keeps a Secret that says what its ConfigMap says, only louder. */
function shouting(said: string[], signals: AbortSignal[]) {
  return makeController<ConfigMap>({
    name: 'shout',
    for: configMaps,
    owns: [secrets],
    async reconcile({ key, read, write, log, signal }) {
      const map = read(configMaps).find(key);
      const text = map?.data?.['say']?.toUpperCase();
      if (!map || !text || read(secrets).find(key)) return undefined;
      signals.push(signal);
      log.info(text);
      said.push(text);
      const { name = '', namespace = '' } = map.metadata ?? {};
      const ownerReferences = [managedBy(map, 'v1', 'ConfigMap')];
      await write(secrets).create({ metadata: { name, namespace, ownerReferences }, stringData: { shout: text } });
      return undefined;
    },
  });
}

test('a controller of one’s own runs by itself, watches what it owns, and ends with its signal', async () => {
  const [said, lines, signals]: [string[], string[], AbortSignal[]] = [[], [], []];
  const log = { info: (line: string) => void lines.push(line), error() {} };
  const loops = [shouting(said, signals)];
  const running = await startControllers({ kubeconfig: lab.kubeconfig, controllers: [], loops, log });
  expect(running.names).toEqual(['shout']);
  await lab.client.create(configMaps, { metadata: { name: 'a' }, data: { say: 'hello' } }, place);
  const first = await eventually(() => lab.client.get(secrets, { ...place, name: 'a' }).catch(() => undefined));
  await lab.client.delete(secrets, { ...place, name: 'a' });
  await eventually(async () => {
    const again = await lab.client.get(secrets, { ...place, name: 'a' }).catch(() => undefined);
    return again && again.metadata?.uid !== first.metadata?.uid ? again : undefined;
  });
  expect(said).toEqual(['HELLO', 'HELLO']);
  expect(lines).toContain('shout default/a: HELLO');
  expect(signals.some(({ aborted }) => aborted)).toBe(false);
  await running.stop();
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
});
