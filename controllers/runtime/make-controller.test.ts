import { afterAll, beforeAll, expect, test } from 'vitest';
import { startControllers } from '../start.ts';
import { eventually, type Lab, startLab } from '../testing/lab.fixture.ts';
import { itself, type Loop } from './controller.ts';
import { managedBy } from './kube-object.ts';
import { makeController } from './make-controller.ts';
import { type ConfigMap, choosing, configMaps, namespaces, secrets } from './resources.ts';

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

test('a controller reads only what it has chosen of a kind, and writes it', async () => {
  await lab.client.create(namespaces, { metadata: { name: 'chosen' } }, {});
  const create = (namespace: string, name: string, labels: Record<string, string>) =>
    lab.client.create(configMaps, { metadata: { name, labels } }, { namespace });
  await create('chosen', 'by-label', { mine: 'yes' });
  await create('chosen', 'by-name', {});
  await create('chosen', 'neither', { mine: 'no' });
  await create('default', 'elsewhere', { mine: 'yes' });
  const byLabel = choosing(configMaps, { namespace: 'chosen', labelSelector: 'mine=yes' });
  const byName = choosing(configMaps, { fieldSelector: 'metadata.name=by-name' });
  const controller = makeController<ConfigMap>({
    name: 'choosy',
    for: byLabel,
    watches: [{ resource: byName, keys: () => ['chosen/by-label'] }],
    async reconcile({ key, read, write }) {
      const map = read(byLabel).find(key);
      const seen = [...read(byLabel).all(), ...read(byName).all()].map(({ metadata }) => metadata?.name).sort();
      if (map && !map.data) await write(byLabel).patch(map, { data: { seen: seen.join(' ') } });
      return undefined;
    },
  });
  const running = await startControllers({ kubeconfig: lab.kubeconfig, controllers: [], loops: [controller] });
  const told = await eventually(async () => {
    const { data } = await lab.client.get(configMaps, { namespace: 'chosen', name: 'by-label' });
    return data?.['seen'];
  });
  expect(told).toBe('by-label by-name');
  await running.stop();
});

test('a change that does not matter to a loop brings no key', async () => {
  const seen: string[] = [];
  const loop: Loop = {
    name: 'indifferent',
    watches: [
      {
        ...itself(configMaps, ({ metadata }) => metadata?.name === 'watched'),
        matters: (now: ConfigMap, before: ConfigMap) => now.data?.['text'] !== before.data?.['text'],
      },
    ],
    async reconcile({ key, read }) {
      const { metadata, data } = read(configMaps).find(key) ?? {};
      seen.push(`${metadata?.labels?.['step']} ${data?.['text']}`);
      return undefined;
    },
  };
  const running = await startControllers({ kubeconfig: lab.kubeconfig, controllers: [], loops: [loop] });
  await lab.client.create(configMaps, { metadata: { name: 'watched', labels: { step: '1' } } }, place);
  await eventually(async () => seen.length > 0);
  const watched = { ...place, name: 'watched' };
  await lab.client.patch(configMaps, watched, { metadata: { labels: { step: '2' } } });
  await lab.client.patch(configMaps, watched, { metadata: { labels: { step: '3' } }, data: { text: 'new' } });
  await eventually(async () => seen.some((each) => each === '3 new'));
  expect(seen).toEqual(['1 undefined', '3 new']);
  await running.stop();
});
