import { expect, test } from 'vitest';
import type { Answer, Send } from '../verbs/client.ts';
import { allowsEveryone } from './everyones-rights.ts';
import { asking } from './inspect.ts';
import { startReference } from './reference.ts';

const all = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

/** A server that tells somebody made up of these rules, allows them what a review asks for, and lists nodes or does not. */
const server = ({ rules = {}, allowed = true, nodes = 200 }): Send =>
  (async (_, path: string) => {
    const body = path.includes('rulesreviews') ? { status: rules } : { status: { allowed } };
    return { status: path.includes('nodes') ? nodes : 201, body } as Answer;
  }) as Send;

test('a server on which everyone may do everything says so', async () => {
  expect(await allowsEveryone(server({ rules: all }))).toBe(true);
});

test.each([
  ['other rules are told', { rules: { ...all, resourceRules: [{ verbs: ['*'], apiGroups: [''], resources: ['*'] }] } }],
  [
    'a role is told of beside it',
    { rules: { ...all, nonResourceRules: [...all.nonResourceRules, { verbs: ['get'] }] } },
  ],
  ['nothing is told of paths', { rules: { ...all, nonResourceRules: [] } }],
  ['no rules are told', {}],
  ['the review of access says no', { rules: all, allowed: false }],
  ['they are refused in truth', { rules: all, nodes: 403 }],
])('callers have rights where %s', async (_, said) => {
  expect(await allowsEveryone(server(said))).toBe(false);
});

test.each([
  ['without an authorizer', ['--authorization-mode=AlwaysAllow'], true],
  ['with roles', [], false],
] as const)('the reference server %s', async (_, flags, everyone) => {
  const { target, stop } = await startReference(flags);
  try {
    expect(await asking(target, allowsEveryone)).toBe(everyone);
  } finally {
    await stop();
  }
});
