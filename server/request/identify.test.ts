import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { identify } from './identify.ts';

/** `verb group/version namespace resource/name/subresource`, as a request is understood. */
function understood(method: string, url: string): string {
  const { isResource, verb, group, version, namespace, resource, name, subresource, path } = identify(method, url);
  if (!isResource) return `${verb} ${path}`;
  return `${verb} ${group}/${version} ${namespace || '-'} ${[resource, name, subresource].join('/').replace(/\/+$/, '')}`;
}

describe('a request is understood by its method and path', () => {
  it.each([
    ['GET', '/api/v1/pods', 'list /v1 - pods'],
    ['GET', '/api/v1/namespaces/a/pods', 'list /v1 a pods'],
    ['GET', '/api/v1/namespaces/a/pods/b', 'get /v1 a pods/b'],
    ['HEAD', '/api/v1/namespaces/a/pods/b', 'get /v1 a pods/b'],
    ['GET', '/api/v1/namespaces/a/pods/b/log', 'get /v1 a pods/b/log'],
    ['POST', '/api/v1/namespaces/a/pods', 'create /v1 a pods'],
    ['POST', '/api/v1/namespaces/a/pods/b/eviction', 'create /v1 a pods/b/eviction'],
    ['PUT', '/apis/apps/v1/namespaces/a/deployments/b/scale', 'update apps/v1 a deployments/b/scale'],
    ['PATCH', '/apis/apps/v1/namespaces/a/deployments/b', 'patch apps/v1 a deployments/b'],
    ['DELETE', '/apis/apps/v1/namespaces/a/deployments/b', 'delete apps/v1 a deployments/b'],
    ['DELETE', '/apis/apps/v1/namespaces/a/deployments', 'deletecollection apps/v1 a deployments'],
    ['GET', '/api/v1/namespaces', 'list /v1 - namespaces'],
    ['GET', '/api/v1/namespaces/a', 'get /v1 a namespaces/a'],
    ['PUT', '/api/v1/namespaces/a/finalize', 'update /v1 a namespaces/a/finalize'],
    ['PUT', '/api/v1/namespaces/a/status', 'update /v1 a namespaces/a/status'],
    ['GET', '/api/v1/nodes/n/status', 'get /v1 - nodes/n/status'],
    ['GET', '/api/v1/pods?watch=true', 'watch /v1 - pods'],
    ['GET', '/api/v1/pods?watch', 'watch /v1 - pods'],
    ['GET', '/api/v1/pods?watch=0', 'list /v1 - pods'],
    ['GET', '/api/v1/pods?watch=False', 'list /v1 - pods'],
    ['GET', '/api/v1/watch/pods', 'watch /v1 - pods'],
    ['GET', '/api/v1/watch/namespaces/a/pods/b', 'watch /v1 a pods/b'],
    ['GET', '/api/v1/watch/pods?fieldSelector=metadata.name%3Db', 'watch /v1 - pods'],
    ['GET', '/api/v1/namespaces/a/pods/b?watch=true', 'get /v1 a pods/b'],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Db', 'list /v1 - pods/b'],
    ['GET', '/api/v1/pods?fieldSelector=a%3D1,metadata.name%3D%3Db', 'list /v1 - pods/b'],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name!%3Db', 'list /v1 - pods'],
    ['OPTIONS', '/api/v1/pods', 'options /v1 - pods'],
    ['GET', '/api/v1/namespaces//pods', 'list /v1 - pods'],
    ['GET', '/api//v1/pods', 'get /api//v1/pods'],
    ['GET', '/api/v1//pods', 'get /api/v1//pods'],
    ['GET', '/api/v1/namespaces/a/configmaps/x%2Fy', 'get /v1 a configmaps/x/y'],
    ['GET', '/api/v1/namespaces/a/configmaps/%zz', 'get /v1 a configmaps/%zz'],
    ['GET', '/api', 'get /api'],
    ['GET', '/api/v1', 'get /api/v1'],
    ['GET', '/apis/apps', 'get /apis/apps'],
    ['GET', '/apis/apps/v1', 'get /apis/apps/v1'],
    ['GET', '/healthz?verbose', 'get /healthz'],
    ['POST', '/', 'post /'],
    ['GET', '', 'get '],
  ])('%s %s', (method, url, expected) => {
    expect(understood(method, url)).toBe(expected);
  });

  it('keeps what stands behind a subresource', () => {
    expect(identify('GET', '/api/v1/namespaces/a/pods/b/proxy/c/d%20e').rest).toEqual(['c', 'd e']);
    expect(identify('GET', '/api/v1/nodes/n/proxy/c').rest).toEqual(['c']);
  });

  it('tells the name in the path from the name in a selector', () => {
    expect(identify('GET', '/api/v1/pods?fieldSelector=metadata.name%3Db')).toMatchObject({ name: 'b', pathName: '' });
    expect(identify('GET', '/api/v1/namespaces/a/pods/b')).toMatchObject({
      name: 'b',
      pathName: 'b',
      inNamespace: true,
    });
  });

  it('understands a path the second time, and after those around it, as at first', async () => {
    const names = ['api', 'apis', 'v1', 'namespaces', 'watch', 'status', 'finalize', 'pods', 'a', '', '%61'];
    const path = fc
      .array(fc.constantFrom(...names), { minLength: 2, maxLength: 8 })
      .map((parts) => `/${parts.join('/')}`);
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS');
    const asked = fc.array(fc.tuple(method, path), { minLength: 1, maxLength: 12 });
    const afresh = async (sent: readonly [string, string][]) => {
      vi.resetModules();
      const module = await import('./identify.ts');
      return sent.map(([how, where]) => {
        const { form: _form, ...info } = module.identify(how, where);
        return info;
      });
    };
    await fc.assert(
      fc.asyncProperty(asked, async (sent) => {
        const longer = sent.flatMap(([how, where]) => [
          [how, where] as [string, string],
          [how, `${where}/b`] as [string, string],
        ]);
        const [alone, together] = [
          await Promise.all(longer.map((one) => afresh([one]))),
          await afresh([...longer, ...longer]),
        ];
        expect(together).toEqual([...alone.flat(), ...alone.flat()]);
      }),
      { numRuns: 30 },
    );
  });

  it('never fails, whatever is sent', () => {
    const url = fc.oneof(
      fc.string(),
      fc
        .array(fc.oneof(fc.string(), fc.constantFrom('api', 'apis', 'v1', 'namespaces', 'watch', '%', '%ff')))
        .map((parts) => `/${parts.join('/')}`),
    );
    fc.assert(fc.property(fc.string(), url, (method, text) => void identify(method, text)));
  });
});
