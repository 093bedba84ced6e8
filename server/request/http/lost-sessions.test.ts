import type { ServerHttp2Session } from 'node:http2';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LostSessions } from './lost-sessions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a connection ends some time after its session, and not before', () => {
  const lost = new LostSessions();
  const session = { destroyed: false };
  const socket = new Socket();
  lost.follow(session as ServerHttp2Session, socket);
  vi.advanceTimersByTime(60_000);
  expect(socket.destroyed).toBe(false);
  session.destroyed = true;
  vi.advanceTimersByTime(10_000);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(10_000);
  expect(socket.destroyed).toBe(true);
  lost.stop();
  expect(vi.getTimerCount()).toBe(0);
});
