import { expect, it } from 'vitest';
import { UsageError } from '../../mistyped.ts';
import { flags, readSettings, usage } from './flags.ts';

const read = (...args: string[]) => readSettings(args, 1234);

it('takes two servers, each with its own credentials', () => {
  const { judged, other, seed } = read(
    '--server',
    'https://a:1',
    '--token',
    'x',
    '--with',
    'https://b:2',
    '--with-token',
    'y',
    '--with-insecure-skip-tls-verify',
  );
  expect(judged).toEqual({ url: 'https://a:1', token: 'x' });
  expect(other).toEqual({ url: 'https://b:2', token: 'y', insecure: true });
  expect(seed).toBe(1234);
});

it('compares with the reference server when no other one is named', () => {
  expect(read('--server', 'https://a:1').other).toBeUndefined();
});

it('takes the host of its webhooks', () => {
  expect(read('--server', 'https://a:1', '--webhook-host', '[fd00::1]').webhookHost).toBe('fd00::1');
});

it.each([
  [['--server', 'https://a', '--webhook-host', 'a/b'], /--webhook-host: a\/b/],
  [[], /--server or --kubeconfig/],
  [['--server', 'ftp://a'], /no http or https address/],
  [['--server', 'https://a', '--seed', 'x'], /--seed: x/],
  [['--server', 'https://a', '--time', '-1'], /--time/],
  [['--server', 'https://a', '--only', 'dreams'], /--only takes fields, .*, not "dreams"/],
  [['--server', 'https://a', '--only', 'feilds'], /did you mean fields/],
  [['--nonsense'], /nonsense/],
])('refuses %j', (args, message) => {
  expect(() => read(...args)).toThrow(UsageError);
  expect(() => read(...args)).toThrow(message);
});

it('tells of every flag in its help', () => {
  for (const { name } of flags) expect(usage()).toContain(`--${name}`);
});
