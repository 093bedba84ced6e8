import { defineRule } from '../../rule.ts';
import { pretendVersion } from '../../sabotage/discovery.ts';
import { answerStatus, redirectPath, replaceIn } from '../../sabotage/transforms.ts';
import { servedResources, servedVersions } from '../../verbs/discovery.ts';
import { alphaRule, alphaVersion } from '../alpha-rule.ts';

export default [
  // A key without a value means true.
  alphaRule('versioning.runtime-config.default-true', alphaVersion),

  // A version that is turned off leaves discovery, and its paths are 404.
  defineRule('versioning.runtime-config.group-off', {
    flags: ['--runtime-config=batch/v1=false'],
    sabotage: [answerStatus(200, { path: /^\/apis\/batch\/v1/, instead: 404 }), pretendVersion('batch/v1')],
    async check({ send, expect }) {
      const versions = await servedVersions(send);
      expect(versions).toContain('apps/v1');
      expect(versions).not.toContain('batch/v1');
      for (const path of ['/apis/batch/v1', '/apis/batch/v1/jobs'])
        expect((await send('GET', path)).status, path).toBe(404);
    },
  }),

  // A key can be about a single resource.
  defineRule('versioning.runtime-config.single-resource', {
    flags: ['--runtime-config=storage.k8s.io/v1beta1/csistoragecapacities=false'],
    sabotage: [
      answerStatus(200, { path: /^\/apis\/storage\.k8s\.io\/v1beta1\//, instead: 404 }),
      replaceIn('resources', { path: /^\/apis\/storage\.k8s\.io\/v1$/, with: [] }),
    ],
    async check({ send, expect }) {
      const path = '/apis/storage.k8s.io/v1beta1/csistoragecapacities';
      expect((await send('GET', path)).status, 'the resource that is turned off').toBe(404);
      expect(
        (await servedResources(send, 'storage.k8s.io/v1')).map(({ name }) => name),
        'others of the group',
      ).toContain('csistoragecapacities');
    },
  }),

  // Such a change counts after a restart of server and controllers.
  defineRule('versioning.runtime-config.restart', {
    needs: ['flags'],
    sabotage: [
      answerStatus(200, { path: /^\/apis\/batch\/v1$/, instead: 404 }),
      redirectPath(/^\/apis\/batch\/v1$/, '/apis/apps/v1'),
    ],
    async check({ start, expect }) {
      const path = '/apis/batch/v1';
      const off = await start(['--runtime-config=batch/v1=false']);
      expect((await off.send('GET', path)).status, 'while it is turned off').toBe(404);
      const on = await start(['--runtime-config=batch/v1=true']);
      expect((await on.send('GET', path)).status, 'of a server that was started with it').toBe(200);
      expect((await off.send('GET', path)).status, 'of the one that was not').toBe(404);
    },
  }),
];
