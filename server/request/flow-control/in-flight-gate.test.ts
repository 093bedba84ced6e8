import { expect, it } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { identify } from '../identify.ts';
import { InFlightGate, type InFlightLimits } from './in-flight-gate.ts';

/** What becomes of requests that come one after the other, none of which ends. */
function outcomes(
  limits: InFlightLimits,
  requests: readonly (readonly [method: string, path: string])[],
  groups = ['a'],
) {
  const gate = new InFlightGate(limits);
  return requests.map(([method, path]) => {
    const exchange = { info: identify(method, path), user: { groups } } as unknown as Exchange;
    return gate.enter(exchange) === 'full' ? 'full' : 'in';
  });
}

const read = ['GET', '/api/v1/namespaces'] as const;
const write = ['POST', '/api/v1/namespaces'] as const;
const log = ['GET', '/api/v1/namespaces/a/pods/b/log'] as const;

it('counts what reads and what writes by itself', () => {
  expect(outcomes({ reading: 2, writing: 1 }, [read, write, read, read, write])).toEqual([
    ...['in', 'in', 'in'],
    ...['full', 'full'],
  ]);
});

it('lets any number in where there is no limit', () => {
  expect(outcomes({ reading: 0, writing: 1 }, [read, read, write, write])).toEqual(['in', 'in', 'in', 'full']);
  expect(outcomes({ reading: 1, writing: 0 }, [write, write, read, read])).toEqual(['in', 'in', 'in', 'full']);
});

it('lets administrators in always, and does not count what goes on for long', () => {
  expect(outcomes({ reading: 1, writing: 1 }, [read, read, write, write], ['system:masters'])).not.toContain('full');
  expect(outcomes({ reading: 1, writing: 1 }, [log, log, read, log])).not.toContain('full');
});

it('has room again once one was answered', () => {
  const gate = new InFlightGate({ reading: 1, writing: 1 });
  const exchange = { info: identify(...read), user: { groups: [] } } as unknown as Exchange;
  const leave = gate.enter(exchange);
  expect(gate.enter(exchange)).toBe('full');
  if (typeof leave === 'function') leave();
  expect(gate.enter(exchange)).toBeTypeOf('function');
});
