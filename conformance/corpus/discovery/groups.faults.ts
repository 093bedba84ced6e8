import { changeAnswer, notFound } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip, slips } from '../fault.ts';
import { remembering } from '../meddling.ts';

const discovery = 'request/discovery.ts';

/** Groups and versions: which are served, told and preferred, and in what order. */
export default [
  fault(
    'a group tells the version that it prefers alone',
    ['versioning', 'paths'],
    changeAnswer('', (body) => (body?.kind === 'APIGroup' ? { ...body, versions: body.versions.slice(0, 1) } : body), {
      path: /^\/apis\/[^/]+$/,
    }),
  ),
  slip(
    'a group prefers the oldest of its versions',
    ['versioning'],
    discovery,
    "preferredVersion: versions[0] ?? { groupVersion: name, version: '' }",
    "preferredVersion: versions.at(-1) ?? { groupVersion: name, version: '' }",
  ),
  slip(
    'versions that are turned off are told among the groups',
    ['versioning', 'paths'],
    discovery,
    'const groups = new Map<string, Map<string, Ranked>>();',
    'const groups = new Map(apiGroups().map(({ name, versions: known }) => [name, new Map(known.map((version): [string, Ranked] => [version, { version, ...custom }]))]));',
  ),
  slip(
    'custom groups are told in the order of their definition',
    ['versioning', 'paths'],
    discovery,
    '(a.name < b.name ? -1 : 1)',
    '1',
  ),
  slip(
    'the preferred version is the last',
    ['versioning'],
    discovery,
    'preferredVersion: versions[0] ??',
    'preferredVersion: versions.at(-1) ??',
  ),
  slip(
    'custom groups are told in the order that they came in',
    ['versioning', 'paths'],
    discovery,
    '(a.name < b.name ? -1 : 1)',
    '-1',
  ),
  slip(
    'runtime-config of one resource turns its whole version off',
    ['versioning'],
    'registry/runtime-config.ts',
    'for (const key of [`${groupVersion}/${resource}`, groupVersion,',
    'for (const key of [...[...chosen.keys()].filter((each) => each.startsWith(`${groupVersion}/`)), `${groupVersion}/${resource}`, groupVersion,',
  ),
  slip(
    'runtime-config knows no api/all',
    ['versioning', 'component'],
    'registry/runtime-config.ts',
    "if (rest.length === 0 || group === 'api' || unserved.has(group)) return;",
    'if ((rest.length === 0) || unserved.has(group)) return;',
  ),
  slip(
    'the index of paths has the core versions among the groups, and the groups among these',
    ['paths', 'versioning'],
    'request/paths.ts',
    'found.add(name ? `/apis/${name}/${served.version}` : `/api/${served.version}`);',
    'found.add(!(name) ? `/apis/${name}/${served.version}` : `/api/${served.version}`);',
  ),
  fault(
    'a custom group keeps the versions with which it was first told',
    ['paths', 'kinds', 'versioning', 'meta'],
    remembering(() => {
      const seen = new Map<string, Json>();
      return (body, { method, path }, { status }) => {
        if (method !== 'GET' || status !== 200 || body.kind !== 'APIGroup') return body;
        if (!seen.has(path)) seen.set(path, body);
        return seen.get(path);
      };
    }),
  ),
  slip(
    'a group that lost a version prefers it still',
    ['paths', 'service'],
    'request/discovery.ts',
    'preferredVersion: versions[0] ??',
    'preferredVersion: (globalThis.preferred ??= new Map()).get(name) ?? (globalThis.preferred.set(name, versions[0]), versions[0]) ??',
  ),
  slip(
    'the versions of a custom group are told by alphabet',
    ['versioning', 'paths', 'kinds', 'service'],
    'request/discovery.ts',
    'compareVersions(a.version, b.version)',
    '(a.version < b.version ? -1 : 1)',
  ),
  slip(
    'a second version that is still tried stands before the first that is stable',
    ['component', 'versioning', 'paths', 'kinds', 'service'],
    'custom-resources/version-order.ts',
    'descending(a.stability, b.stability) || descending(a.major, b.major)',
    'descending(a.major, b.major)',
  ),
  slips(
    'a version of a custom type that has gone stays in discovery',
    ['service', 'paths', 'versioning', 'kinds'],
    [
      {
        file: 'request/discovery.ts',
        from: 'for (const { group, served } of resources.all()) if (group',
        to: 'const told = remembered.get(resources) ?? remembered.set(resources, []).get(resources) ?? [];\n  told.push(...[...resources.all()].filter(({ custom }) => custom));\n  for (const { group, served } of [...resources.all(), ...told]) if (group',
      },
      {
        file: 'request/discovery.ts',
        from: 'interface GroupVersion {',
        to: 'const remembered = new WeakMap<Resources, ListedResource[]>();\ninterface GroupVersion {',
      },
    ],
  ),
  slip(
    'the list of groups tells one version of each',
    ['versioning', 'service'],
    discovery,
    'return { name, versions, preferredVersion:',
    'return { name, versions: versions.slice(0, 1), preferredVersion:',
  ),
  fault(
    'there is nothing at the roots of discovery with a slash behind them',
    ['paths', 'content', 'versioning'],
    notFound({ path: /^\/apis?(?:\/.*)?\/$/ }),
  ),
  slip(
    'no APIService tells of a version that comes later',
    ['paths'],
    'registry/standing/local-api-services.ts',
    'if (!this.#stored.has(name)) this.#queue.add(name);',
    '',
  ),
  slip(
    'the APIService of a version that is no longer served stays',
    ['paths'],
    'registry/standing/local-api-services.ts',
    'for (const name of before.keys()) if (!this.#wanted.has(name)) this.#leave(name);',
    '',
  ),
];
