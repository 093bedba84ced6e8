import { base64, signingRequestPem } from '../../../fixtures/certificates.ts';
import { mighty } from '../../checks/access/identity.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus, removeIn, replaceIn, swallowEvent } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { protobufType } from '../../verbs/protobuf.ts';
import { said } from '../../verbs/said.ts';
import { condition } from '../../verbs/signing-requests.ts';
import { validityRule } from '../field-rules.ts';

const kind = 'signingRequests';
const paths = { path: /\/certificatesigningrequests(\/[^/]+)?$/ };
const reads = { method: 'GET', path: /\/certificatesigningrequests\/[^/]+$/ };
const lists = { method: 'GET', path: /\/certificatesigningrequests$/ };
const spec = (parts: object) => ({ spec: parts });
const names = (list: Json): string[] => list.items.map((one: Json) => one.metadata.name);

/** A field of the spec that only the server writes: what a client sends for it does not count. */
const serverField = (
  id: string,
  field: string,
  sent: Json,
  isOurs: (value: Json) => boolean,
  /** What it is for a caller of a name and the uid `u-9`. */
  caller?: (name: string) => string,
): Rule =>
  defineRule(id, {
    sabotage: [
      replaceIn(`spec.${field}`, { ...paths, with: sent }),
      replaceIn(`spec.${field}`, { ...reads, with: 'another' }),
    ],
    async check({ signingRequests, capabilities, unique, expect }) {
      const created = await signingRequests.post(signingRequests.sample({ spec: { [field]: sent } }));
      expect(created.status, said(created)).toBe(201);
      const value = created.body.spec[field];
      expect(value ?? null, 'what was sent').not.toEqual(sent);
      expect(isOurs(value), `${field}: ${JSON.stringify(value)}`).toBe(true);
      const { name } = created.body.metadata;
      await signingRequests.patch(name, { spec: { [field]: sent } });
      await signingRequests.put({ ...created.body, spec: { ...created.body.spec, [field]: sent } });
      expect((await signingRequests.get(name)).body.spec[field], 'after attempts to change it').toEqual(value);
      const sample = signingRequests.sample({ spec: { [field]: sent } });
      const applied = await signingRequests.tryApply(sample.metadata.name, sample, 'applicant');
      expect(applied.status, said(applied)).toBe(201);
      expect(applied.body.spec[field], 'of a request that is applied').toEqual(value);
      if (!caller || !capabilities.includes('second-user')) return;
      const applicant = unique('jane');
      const headers = mighty(applicant, { 'impersonate-uid': 'u-9' });
      const theirs = await signingRequests.post(signingRequests.sample({ spec: { [field]: sent } }), '', { headers });
      expect(theirs.status, said(theirs)).toBe(201);
      expect((await signingRequests.read(theirs.body.metadata.name)).spec[field], 'of another caller').toBe(
        caller(applicant),
      );
    },
  });

/** Requests for one signer are deleted at once: of those with a label, so that none of others ever goes. */
async function deletesBySigner({ signingRequests, unique, expect }: RuleContext): Promise<void> {
  const metadata = { labels: { 'touchstone/test': unique() } };
  const signerName = `example.com/${unique('signer')}`;
  const mine = await signingRequests.create({ metadata, ...spec({ signerName }) });
  const other = await signingRequests.create({ metadata });
  const query = {
    fieldSelector: `spec.signerName=${signerName}`,
    labelSelector: `touchstone/test=${metadata.labels['touchstone/test']}`,
  };
  const answer = await signingRequests.deleteAll({ query });
  expect(answer.status, `those of one signer are deleted: ${said(answer)}`).toBe(200);
  expect((await signingRequests.get(mine.metadata.name)).status, 'for the signer').toBe(404);
  expect((await signingRequests.get(other.metadata.name)).status, 'for another').toBe(200);
}

export default [
  // A request without a spec is refused.
  validityRule({
    id: 'csr.spec.required',
    kind,
    accepted: { 'with a spec': {} },
    refused: { 'without a spec': { spec: undefined }, 'with an empty spec': { spec: null } },
  }),

  // Once created, the spec stays.
  defineRule('csr.spec.immutable', {
    sabotage: [replaceIn('spec.signerName', reads), replaceIn('spec.expirationSeconds', { ...reads, with: 7200 })],
    async check({ signingRequests, expect }) {
      const object = await signingRequests.create(spec({ expirationSeconds: 3600 }));
      const { name } = object.metadata;
      // A genuine server answers 200 and leaves the spec as it was; refusing is as good.
      for (const sub of ['', 'status'])
        for (const { status, body } of [
          await signingRequests.put(
            { ...(await signingRequests.read(name)), spec: { ...object.spec, signerName: 'example.com/other' } },
            '',
            { sub },
          ),
          await signingRequests.patch(name, { spec: { expirationSeconds: 7200, usages: ['any'] } }, { sub }),
        ])
          if (status === 200) expect(body.spec, `as answered by ${sub || 'the request'}`).toEqual(object.spec);
      expect((await signingRequests.get(name)).body.spec).toEqual(object.spec);
    },
  }),

  // Who creates one sets request, signer, expiration and usages, and nothing else of the spec.
  defineRule('csr.spec.settable', {
    sabotage: ['request', 'signerName', 'expirationSeconds', 'usages'].map((field) => removeIn(`spec.${field}`, paths)),
    async check({ signingRequests, expect }) {
      const mine = {
        request: base64(signingRequestPem),
        signerName: 'example.com/one',
        expirationSeconds: 3600,
        usages: ['server auth', 'client auth'],
      };
      const others = { username: 'somebody', uid: 'u-1', groups: ['somewhere'], extra: { a: ['b'] } };
      const answer = await signingRequests.post(signingRequests.sample(spec({ ...mine, ...others })));
      expect(answer.status, said(answer)).toBe(201);
      expect(answer.body.spec).toMatchObject(mine);
      expect(answer.body.spec.username).not.toBe('somebody');
      expect(answer.body.spec.uid ?? '').not.toBe('u-1');
      expect(answer.body.spec.groups ?? []).not.toContain('somewhere');
      expect(answer.body.spec.extra ?? {}).not.toHaveProperty('a');
    },
  }),

  // Who created the request stands in `spec.username`, by the server's word alone.
  serverField(
    'csr.spec.username',
    'username',
    'somebody',
    (value) => typeof value === 'string' && value !== '',
    (name) => name,
  ),
  // The uid of who created it stands in `spec.uid`.
  serverField(
    'csr.spec.uid',
    'uid',
    'u-1',
    (value) => value === undefined || typeof value === 'string',
    () => 'u-9',
  ),
  // The groups of who created it stand in `spec.groups`.
  serverField(
    'csr.spec.groups',
    'groups',
    ['somewhere'],
    (value) => Array.isArray(value) && value.includes('system:authenticated'),
  ),

  // The extra values of who created it stand in `spec.extra`.
  defineRule('csr.spec.extra', {
    needs: ['second-user'],
    sabotage: [removeIn('spec.extra', paths), replaceIn('spec.extra.colour', { ...paths, with: ['red'] })],
    async check({ as, unique, signingRequests, clusterRoles, clusterRoleBindings, capabilities, waitUntil, expect }) {
      const name = unique('applicant');
      const role = await clusterRoles.create({
        rules: [{ apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['create'] }],
      });
      const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }];
      await clusterRoleBindings.create({ subjects, roleRef: { name: role.metadata.name } });
      const theirs = as({ name, uid: 'u-7', extra: { colour: ['red', 'green'] } }).signingRequests;
      const post = () => theirs.post(signingRequests.sample(spec({ extra: { colour: ['blue'] } })));
      const { body } = await waitUntil(
        'the right to create requests is in effect',
        post,
        ({ status }) => status === 201,
      );
      expect(body.spec).toMatchObject({ username: name, uid: 'u-7' });
      const extra = { colour: ['red', 'green'] };
      expect(body.spec.extra).toEqual(extra);
      await signingRequests.patch(body.metadata.name, { spec: { extra: { colour: ['blue'] } } });
      expect((await signingRequests.get(body.metadata.name)).body.spec.extra).toEqual(extra);
      if (!capabilities.includes('protobuf')) return;
      const { bytes } = await signingRequests.get(body.metadata.name, '', { headers: { accept: protobufType } });
      for (const value of extra.colour) expect(bytes.includes(value), `${value}, in protobuf`).toBe(true);
    },
  }),

  // Lists can select by `spec.signerName`.
  defineRule('csr.spec.signer-name.field-selector.list', {
    sabotage: [replaceIn('items', lists), answerStatus(400, { ...lists, query: { fieldSelector: true } })],
    async check(context) {
      const { signingRequests, unique, expect } = context;
      const signerName = `example.com/${unique('signer')}`;
      const [one, two] = [
        await signingRequests.create(spec({ signerName })),
        await signingRequests.create(spec({ signerName })),
      ];
      await signingRequests.create();
      const { status, body } = await signingRequests.getAll({ fieldSelector: `spec.signerName=${signerName}` });
      expect(status).toBe(200);
      expect(names(body).sort()).toEqual([one.metadata.name, two.metadata.name].sort());
      await deletesBySigner(context);
    },
  }),

  // Watches can select by `spec.signerName`.
  defineRule('csr.spec.signer-name.field-selector.watch', {
    sabotage: [
      swallowEvent('ADDED'),
      swallowEvent('MODIFIED'),
      swallowEvent('DELETED'),
      answerStatus(400, { ...lists, query: { fieldSelector: true } }),
    ],
    async check({ signingRequests, unique, expect }) {
      const signerName = `example.com/${unique('signer')}`;
      const watch = await signingRequests.watch({ fieldSelector: `spec.signerName=${signerName}` });
      expect(watch.status).toBe(200);
      await signingRequests.create();
      const mine = await signingRequests.create(spec({ signerName }));
      const event = await watch.next('the event of the matching request');
      expect(event).toMatchObject({ type: 'ADDED', object: { metadata: { name: mine.metadata.name } } });
      const { name } = mine.metadata;
      const conditions = [condition('Approved')];
      await signingRequests.merge(name, { status: { conditions } }, 'approval');
      const decided = await watch.next('the event of its approval');
      expect(decided).toMatchObject({ type: 'MODIFIED', object: { metadata: { name }, status: { conditions } } });
      await signingRequests.delete(name);
      const gone = await watch.next('the event of its removal');
      expect(gone).toMatchObject({ type: 'DELETED', object: { metadata: { name }, status: { conditions } } });
    },
  }),
];
