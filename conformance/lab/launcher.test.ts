import { expect, test } from 'vitest';
import { type Launcher, makeLauncher } from './launcher.ts';

/** A launcher of servers that are only names, and what became of them. */
function pretended(most: number): { launcher: Launcher; log: string[] } {
  const log: string[] = [];
  const start = async (flags: readonly string[]) => {
    const name = flags.join(' ');
    log.push(`start ${name}`);
    if (name === 'broken') throw new Error('does not start');
    return { target: { url: name }, stop: async () => void log.push(`stop ${name}`) };
  };
  return { launcher: makeLauncher(start, most), log };
}

test('those who ask for the same flags share one server', async () => {
  const { launcher, log } = pretended(2);
  const targets = await Promise.all([launcher.take(['a']), launcher.take(['a']), launcher.take(['b'])]);
  expect(targets.map(({ url }) => url)).toEqual(['a', 'a', 'b']);
  expect(log).toEqual(['start a', 'start b']);
});

test('a server that nobody needs runs on for the next one who does, until its place is needed', async () => {
  const { launcher, log } = pretended(1);
  await launcher.take(['a']);
  launcher.giveBack(['a']);
  await launcher.take(['a']);
  launcher.giveBack(['a']);
  await launcher.take(['b']);
  expect(log).toEqual(['start a', 'stop a', 'start b']);
});

test('who comes when all places are taken waits until one is given back', async () => {
  const { launcher, log } = pretended(1);
  await launcher.take(['a']);
  const later = launcher.take(['b']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(log).toEqual(['start a']);
  launcher.giveBack(['a']);
  await expect(later).resolves.toEqual({ url: 'b' });
});

test('a server that does not start is told of, and its place is free', async () => {
  const { launcher } = pretended(1);
  await expect(launcher.take(['broken'])).rejects.toThrow('does not start');
  await expect(launcher.take(['a'])).resolves.toEqual({ url: 'a' });
});

test('a server of its own is started at once for each who asks, and stopped once', async () => {
  const { launcher, log } = pretended(1);
  await launcher.take(['a']);
  const one = await launcher.own(['a']);
  await launcher.own(['b']);
  await Promise.all([one.stop(), one.stop()]);
  await launcher.stopAll();
  expect(log).toEqual(['start a', 'start a', 'start b', 'stop a', 'stop b', 'stop a']);
});

test('at the end all are stopped', async () => {
  const { launcher, log } = pretended(2);
  await Promise.all([launcher.take(['a']), launcher.take(['b'])]);
  await launcher.stopAll();
  expect(log).toEqual(['start a', 'start b', 'stop a', 'stop b']);
});
