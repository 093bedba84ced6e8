import { expect, it } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { passedOn } from './headers.ts';

const passed = (headers: Record<string, string>) =>
  passedOn({ incoming: { headers: { host: 'h', ...headers } }, info: { path: '/p' } } as unknown as Exchange);

it('who the client is, is not passed on, in whatever header it says so', () => {
  const token = `base64url.bearer.authorization.k8s.io.${Buffer.from('secret').toString('base64url')}`;
  const sent = passed({
    authorization: 'Bearer secret',
    'impersonate-user': 'jane',
    'sec-websocket-protocol': `${token}, v4.channel.k8s.io,channel.k8s.io`,
  });
  expect(sent).not.toHaveProperty('authorization');
  expect(sent).not.toHaveProperty('impersonate-user');
  expect(sent).toMatchObject({ 'sec-websocket-protocol': 'v4.channel.k8s.io, channel.k8s.io' });
  expect(passed({ 'sec-websocket-protocol': token })).not.toHaveProperty('sec-websocket-protocol');
});

it.each(['x-remote-user', 'x_remote_user', 'x-remote_group', 'X_Remote_Extra_scopes', 'impersonate_user'])(
  '%s is for this server alone to say',
  (name) => expect(passed({ [name.toLowerCase()]: 'admin' })).not.toHaveProperty(name.toLowerCase()),
);
