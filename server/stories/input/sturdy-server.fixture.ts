import { expect } from 'vitest';
import {
  type Answer,
  configMap,
  configMaps,
  isFailure,
  startTestServer,
  type TestServer,
} from '../test-server.fixture.ts';

/** An object that outlasts its deletion. */
export const there = `${configMaps}/there`;

/** A server that may be sent anything; to stop it fails when something happened that it did not expect. */
export async function startSturdyServer(): Promise<TestServer> {
  const faults: string[] = [];
  const log = {
    info() {},
    debug() {},
    error: (message: string, error: unknown) => void faults.push(`${message}: ${(error as Error)?.stack ?? error}`),
  };
  const server = await startTestServer({ log });
  await server.post(configMaps, configMap('there', { a: '1' }, { finalizers: ['example.com/stays'] }));
  const stop = async (): Promise<void> => {
    await server.stop();
    // A 500 is a defect of the server, whatever the request was.
    expect([...new Set(faults)].map((fault) => fault.slice(0, 400))).toEqual([]);
  };
  return { ...server, stop };
}

/** Whatever was sent: a well-formed answer, and nothing that the server did not expect. */
export function expectSound({ status, body, text }: Answer): void {
  if (status >= 400) expect(isFailure(body, status), `${status} ${text.slice(0, 300)}`).toBe(true);
  expect(status, text.slice(0, 300)).not.toBe(500);
}

export const expectCode = (answer: Answer, code: number) => {
  expect(answer.status, answer.text.slice(0, 300)).toBe(code);
  expect(isFailure(answer.body, code)).toBe(true);
};
