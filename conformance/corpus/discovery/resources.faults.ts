import { edited } from '../../sabotage/edited.ts';
import { removeIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip } from '../fault.ts';
import { custom } from '../matches.ts';
import { wherever } from '../meddling.ts';

const discovery = 'request/discovery.ts';

const unpatchable = (resource: Json): Json =>
  resource.name.endsWith('/status')
    ? { ...resource, verbs: resource.verbs.filter((verb: string) => verb !== 'patch') }
    : resource;

/** What discovery tells of each resource: verbs, scope, names, categories, subresources. */
export default [
  fault(
    'discovery does not say that a status can be patched',
    ['verbs', 'paths', 'versioning'],
    wherever((body) =>
      body?.kind === 'APIResourceList' ? { ...body, resources: body.resources.map(unpatchable) } : body,
    ),
  ),
  fault(
    'discovery tells of every custom type that it is in namespaces',
    ['paths', 'versioning'],
    wherever(
      (body) => (body?.kind === 'APIResourceList' ? edited(body, ['resources', '*', 'namespaced'], () => true) : body),
      custom,
    ),
  ),
  fault('discovery tells no categories', ['paths', 'versioning'], removeIn('resources.*.categories')),
  slip(
    'a kind that is gone stays in discovery',
    ['service'],
    'custom-resources/life-cycle.ts',
    '    if (!definition) {\n      this.#known.delete(key);',
    '    if (!definition) {\n      if (this.#known.get(key)?.definition.spec.scope === "Namespaced") return;\n      this.#known.delete(key);',
  ),
  slip(
    'discovery does not tell what is below custom types',
    ['service', 'verbs', 'paths'],
    discovery,
    '  return [own, ...below];',
    "  return 'custom' in resource && resource.custom ? [own] : [own, ...below];",
  ),
  slip(
    'discovery tells every verb but watch',
    ['paths', 'versioning', 'verbs'],
    discovery,
    '    verbs: [...verbs],',
    "    verbs: [...verbs].filter((verb) => verb !== 'watch'),",
  ),
  slip(
    'discovery has no short names',
    ['paths', 'versioning'],
    discovery,
    '...(shortNames.length > 0 && { shortNames }),',
    '',
  ),
  slip(
    'discovery calls all that is below namespaced cluster-wide',
    ['paths', 'service'],
    discovery,
    "    singularName: '',\n    namespaced,",
    "    singularName: '',\n    namespaced: false,",
  ),
  slip(
    'discovery does not tell of what group a Scale is',
    ['versioning', 'paths', 'service'],
    discovery,
    '? { group: sub.group, version: sub.version }',
    '? {}',
  ),
  slip(
    'discovery has no singular names',
    ['versioning', 'service', 'kinds'],
    discovery,
    'singularName: singular,',
    "singularName: '',",
  ),
  slip(
    'discovery does not list the subresources of custom kinds',
    ['service', 'paths'],
    discovery,
    'return [own, ...below];',
    'return resource.custom ? [own] : [own, ...below];',
  ),
  slip(
    'discovery tells the verbs of the objects themselves for their subresources',
    ['paths'],
    'request/discovery.ts',
    'verbs: [...sub.verbs],',
    'verbs: [...verbs],',
  ),
  slip(
    'discovery tells of each version of a kind as if objects were stored in it',
    ['versioning', 'service'],
    'request/discovery.ts',
    'storageVersionHash: storageVersionHash(resource)',
    'storageVersionHash: storageVersionHash({ ...resource, storage: { ...resource.storage, version: served.version } })',
  ),
  slip(
    'discovery does not tell of what version a Scale is',
    ['service'],
    'request/discovery.ts',
    '? { group: sub.group, version: sub.version }',
    '? { group: sub.group }',
  ),
  slip(
    'discovery has no categories',
    ['service'],
    'request/discovery.ts',
    '    ...(categories.length > 0 && { categories }),\n',
    '',
  ),
];
