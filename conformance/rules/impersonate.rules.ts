import { mighty, whoAmI } from '../checks/access/identity.ts';
import { defineRule } from '../rule.ts';
import { answerStatus, requestHeader } from '../sabotage/transforms.ts';

/** In headers the bytes of UTF-8 stand, a character for each. */
const inHeader = (text: string): string => Buffer.from(text).toString('latin1');

/** Somebody is in so many groups that they take nine kilobytes. */
const many = Array.from({ length: 180 }, (_, index) => `a-team-of-a-department-with-a-long-name-number-${index}`);

const acting = { header: { 'impersonate-user': /./ } };

/** Who is given groups that tell whether he is known, and what is added to them. */
const knownOf = (
  name: string,
): readonly (readonly [name: string, given: readonly string[], added: readonly string[]])[] => [
  [name, [], ['system:authenticated']],
  [name, ['system:authenticated', 'devs'], []],
  [name, ['system:unauthenticated'], []],
  ['system:anonymous', ['devs'], ['system:unauthenticated']],
];

export default [
  // `Impersonate-User` names whom to act as.
  defineRule('impersonate.user', {
    needs: ['second-user'],
    sabotage: [
      requestHeader('impersonate-user', 'somebody-else', acting),
      requestHeader('impersonate-user', 'somebody-else', { header: { 'impersonate-user': /[^ -~]/ } }),
    ],
    async check(context) {
      const name = context.unique('jane');
      for (const called of [name, `${name}@example.com`, `acme:${name} Doe`, `${name}-Zoë-Łucja-美`]) {
        const { username } = await whoAmI(context, mighty(inHeader(called)));
        context.expect(username).toBe(called);
      }
    },
  }),

  // `Impersonate-Group` names a group, and can come several times.
  defineRule('impersonate.group', {
    needs: ['second-user'],
    sabotage: [
      requestHeader('impersonate-group', 'system:masters', acting),
      answerStatus(431, { header: { 'impersonate-group': /.{8192}/ }, instead: 201 }),
    ],
    async check(context) {
      const { signingRequests, expect } = context;
      const groups = ['system:masters', 'devs', 'ops', 'größere Gruppe'];
      const sent = { 'impersonate-group': groups.map(inHeader) };
      const identity = await whoAmI(context, mighty(context.unique('jane'), sent));
      for (const group of groups) expect(identity.groups).toContain(group);
      for (const [name, given, added] of knownOf(context.unique('joe'))) {
        const all = ['system:masters', ...given];
        const seen = await whoAmI(context, mighty(name, { 'impersonate-group': all }));
        expect([...seen.groups].sort(), `${name} of ${given}`).toEqual([...all, ...added].sort());
      }
      const wide = mighty(context.unique('joe'), { 'impersonate-group': ['system:masters', ...many] });
      const answer = await signingRequests.post(signingRequests.sample(), { dryRun: 'All' }, { headers: wide });
      expect(answer.status, 'by somebody in many groups').toBe(201);
      expect(answer.body.spec.groups, 'of somebody in many groups').toEqual(expect.arrayContaining([...many]));
      const account = await whoAmI(context, mighty(`system:serviceaccount:default:${context.unique('robot')}`, sent));
      expect([...account.groups].sort(), 'with a service account').toEqual([...identity.groups].sort());
    },
  }),

  // Group, extra and uid to act with are refused unless a user is named.
  defineRule('impersonate.needs-user', {
    sabotage: [
      answerStatus(200, { path: /^\/api$/, instead: [400, 403, 422, 500] }),
      requestHeader('impersonate-uid', undefined),
    ],
    async check({ send, expect }) {
      expect((await send('GET', '/api')).status, 'without impersonation').toBe(200);
      const headers = { 'impersonate-group': 'devs', 'impersonate-uid': 'u-1', 'impersonate-extra-colour': 'red' };
      for (const [name, value] of Object.entries(headers)) {
        // A genuine server answers 500 here.
        expect(
          (await send('GET', '/api', { headers: { [name]: value } })).status,
          `${name} alone`,
        ).toBeGreaterThanOrEqual(400);
      }
    },
  }),

  // `Impersonate-Extra-<name>` gives an extra value.
  defineRule('impersonate.extra', {
    needs: ['second-user'],
    sabotage: ['colour', 'size', 'wide_open'].map((key) =>
      requestHeader(`impersonate-extra-${key}`, undefined, acting),
    ),
    async check(context) {
      const { extra } = await whoAmI(
        context,
        mighty(context.unique('jane'), {
          'impersonate-extra-colour': ['Red', 'blue'],
          'impersonate-extra-size': 'large',
          // What stands in front of a server may take this for no name of a header.
          'impersonate-extra-wide_open': 'yes',
        }),
      );
      context.expect(extra).toEqual({ colour: ['Red', 'blue'], size: ['large'], wide_open: ['yes'] });
    },
  }),

  // `Impersonate-Uid` gives any text as the uid.
  defineRule('impersonate.uid', {
    needs: ['second-user'],
    sabotage: requestHeader('impersonate-uid', undefined, acting),
    async check(context) {
      const { uid } = await whoAmI(context, mighty(context.unique('jane'), { 'impersonate-uid': 'any text, 7' }));
      context.expect(uid).toBe('any text, 7');
    },
  }),
];
