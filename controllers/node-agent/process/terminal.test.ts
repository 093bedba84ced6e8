import { once } from 'node:events';
import { expect, test } from 'vitest';
import { endOf, signalGroup, start } from './container-process.ts';
import { hasTerminals, onTerminal, sizing } from './terminal.ts';

const spec = (command: string) => ({ argv: ['sh', '-c', command], env: { PATH: process.env['PATH'] ?? '' }, cwd: '/' });

test.skipIf(!hasTerminals())('a terminal has the last size that it was given, and the command is told', async () => {
  const child = await start(onTerminal(spec("trap 'stty size' WINCH; echo ready; while :; do sleep 0.05; done")));
  const resize = sizing(child);
  let said = '';
  child.stdout?.setEncoding('utf8');
  const saying = async (text: string) => {
    while (!said.includes(text)) said += String((await once(child.stdout as never, 'data'))[0]);
  };
  await saying('ready');
  resize({ columns: 90, rows: 20 });
  resize({ columns: 101, rows: 33 });
  await saying('33 101');
  signalGroup(child, 'SIGKILL');
  await endOf(child);
});

test.skipIf(!hasTerminals())('a size may come before the terminal, and after the end', async () => {
  const child = await start(onTerminal(spec('sleep 0.3; stty size')));
  const resize = sizing(child);
  resize({ columns: 77, rows: 11 });
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  expect(await endOf(child)).toEqual({ exitCode: 0 });
  expect(said).toContain('11 77');
  resize({ columns: 1, rows: 1 });
});
