import { callerWith, type Identity, mighty, requestToken, whoAmI } from '../../checks/access/identity.ts';
import { bind } from '../../checks/access/permissions.ts';
import { otherForms } from '../../checks/lists/selecting-forms.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { nameOf } from '../../verbs/states.ts';
import { named, type Subject } from '../../verbs/subjects.ts';
import { streams } from '../../verbs/watch.ts';
import { overWebSocket } from '../../verbs/wire/web-socket.ts';

const acting = { header: { 'impersonate-user': /./ } };
const wrong = { header: { authorization: /not-a-token/ } };

/** In whatever form they ask. */
async function refusedInForms(context: RuleContext, kind: Subject, theirs: Collection, name: string): Promise<void> {
  const socket = await theirs.watch({ timeoutSeconds: 1 }, overWebSocket);
  context.expect(streams(socket), 'over a WebSocket whom the caller acts as may watch').toBe(false);
  for (const accept of otherForms(context, kind)) {
    const parts = { headers: { accept } };
    const watched = theirs.getAll({ watch: 1, timeoutSeconds: 1 }, parts);
    const answers = await Promise.all([theirs.get(name, '', parts), theirs.getAll('', parts), watched]);
    for (const { status } of answers) context.expect(status, `whom the caller acts as, as ${accept}`).toBe(403);
  }
}

/** Whom the server takes a caller for who has a uid, and perhaps more, of his own. */
async function seenActing(context: RuleContext, headers: ReturnType<typeof mighty>): Promise<Identity> {
  const { serviceAccounts, pods, capabilities, clusterRoles, clusterRoleBindings, waitUntil } = context;
  const { name, namespace } = (await serviceAccounts.create()).metadata;
  const role = await clusterRoles.create({
    rules: [{ apiGroups: [''], resources: ['users', 'groups'], verbs: ['impersonate'] }],
  });
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  await clusterRoleBindings.create({ subjects, roleRef: { name: nameOf(role) } });
  const idle = { serviceAccountName: name, schedulerName: 'touchstone.example/nobody' };
  const pod = capabilities.includes('pods') ? await pods.create({ spec: idle }) : undefined;
  const bound = pod && { kind: 'Pod', apiVersion: 'v1', name: nameOf(pod), uid: pod.metadata.uid };
  const caller = context.withToken(await requestToken(context, name, bound));
  const attempt = async () => (await caller.send('GET', '/api', { headers })).status;
  await waitUntil('the right is in effect', attempt, (status) => status === 200);
  return whoAmI(caller, headers);
}

export default [
  // Who wants to act as another proves first who they are, or gets 401.
  defineRule('impersonate.flow.authenticate-first', {
    // Where nobody may act as another, that is told first.
    needs: ['second-user'],
    sabotage: [answerStatus(200, { ...acting, instead: 401 }), requestHeader('authorization', undefined, wrong)],
    async check({ send, expect }) {
      expect((await send('GET', '/api')).status, 'with valid credentials').toBe(200);
      const headers = { authorization: 'Bearer not-a-token-of-anybody', 'impersonate-user': 'jane' };
      expect((await send('GET', '/api', { headers })).status, 'with invalid ones').toBe(401);
    },
  }),

  // Then it is asked whether they may.
  defineRule('impersonate.flow.permission', {
    needs: ['second-user', 'rights'],
    sabotage: [requestHeader('impersonate-user', undefined), answerStatus(403, { ...acting, instead: 200 })],
    async check(context) {
      const { waitUntil, unique, expect } = context;
      const name = unique('jane');
      const headers = { 'impersonate-user': name };
      const without = await callerWith(context, []);
      expect((await without.send('GET', '/api', { headers })).status, 'a caller without the right').toBe(403);
      const caller = await callerWith(context, [
        { apiGroups: [''], resources: ['users'], resourceNames: [name], verbs: ['impersonate'] },
      ]);
      const attempt = async () => (await caller.send('GET', '/api', { headers })).status;
      await waitUntil('a caller with the right may impersonate', attempt, (status) => status === 200);
    },
  }),

  // Then they are the other user in all that follows.
  defineRule('impersonate.flow.replaced', {
    needs: ['second-user'],
    sabotage: [
      replaceIn('spec.username', { path: /\/certificatesigningrequests$/ }),
      replaceIn('spec.groups', { path: /\/certificatesigningrequests$/, with: ['system:masters'] }),
      replaceIn('spec.uid', { path: /\/certificatesigningrequests$/, with: 'u-1' }),
    ],
    async check(context) {
      const name = context.unique('jane');
      const { username, groups } = await whoAmI(context, mighty(name));
      context.expect(username).toBe(name);
      context.expect([...groups].sort()).toEqual(['system:authenticated', 'system:masters']);
      const { uid, extra } = await seenActing(context, mighty(name));
      context.expect([uid ?? '', extra ?? {}], 'the uid and what else is known of the caller').toEqual(['', {}]);
    },
  }),

  // What they may do is what the other user may do.
  defineRule('impersonate.flow.authorized-as', {
    needs: ['second-user', 'rights'],
    sabotage: requestHeader('impersonate-user', undefined),
    matrix: {
      kind: named('secrets', 'jobs', 'widgets', 'clusterroles', 'gadgets'),
      by: ['user', 'group', 'service account'],
    },
    async check(context, { kind, by }) {
      const { objects, as, unique, namespace, waitUntil, expect } = context;
      const { metadata } = await objects.create();
      expect((await objects.get(metadata.name)).status, 'the caller').toBe(200);
      const name =
        by === 'service account' ? `system:serviceaccount:${await namespace()}:${unique('robot')}` : unique('jane');
      const group = by === 'service account' ? `system:serviceaccounts:${await namespace()}` : unique('devs');
      const theirs = objects.by(as(by === 'group' ? { name, groups: [group] } : { name }));
      const attempt = async () => (await theirs.get(metadata.name)).status;
      expect(await attempt(), 'whom the caller acts as').toBe(403);
      await refusedInForms(context, kind, theirs, metadata.name);
      const rules = [{ apiGroups: [objects.at.group], resources: [objects.at.resource], verbs: ['get'] }];
      const api = 'rbac.authorization.k8s.io';
      const subject =
        by === 'user' ? { kind: 'User', apiGroup: api, name } : { kind: 'Group', apiGroup: api, name: group };
      await bind(context, subject, rules, kind.namespaced);
      await waitUntil('what they may do is what the other may do', attempt, (status) => status === 200);
      expect((await theirs.delete(metadata.name)).status, 'and no more').toBe(403);
      expect((await theirs.getAll()).status, 'and no more').toBe(403);
      expect((await theirs.patch(metadata.name, {}, { sub: 'status' })).status, 'and no more').toBe(403);
      expect((await theirs.getAll({ watch: 1, timeoutSeconds: 1 })).status, 'and no more').toBe(403);
    },
  }),
];
