import { changeAnswer, ignoreQuery } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip, slips } from '../fault.ts';
import { inProtobuf, laterPages, lists, outsideNamespaces } from '../matches.ts';
import { misread } from '../meddling.ts';

const labelSelector = 'base/selectors/label-selector.ts';

const shortLastPage = (body: Json, limit: number): boolean =>
  !body.metadata?.continue && Array.isArray(body.items) && body.items.length < limit;

/** Label selectors: what they select, and where they are heeded. */
export default [
  fault(
    'a list by label loses its last page when that is short',
    'lists',
    changeAnswer(
      '',
      (body, { query }) => (shortLastPage(body, Number(query.get('limit'))) ? { ...body, items: [] } : body),
      { ...laterPages, query: { ...laterPages.query, labelSelector: true, limit: true } },
    ),
  ),
  fault(
    'later pages of a list forget the label selector',
    ['lists', 'params'],
    ignoreQuery('labelSelector', laterPages),
  ),
  fault(
    'IngressClasses are listed without regard to labels',
    ['params', 'lists'],
    ignoreQuery('labelSelector', { ...lists, path: /\/ingressclasses$/ }),
  ),
  fault(
    'Roles of all namespaces are listed whatever their labels',
    ['role', 'lists', 'params'],
    ignoreQuery('labelSelector', { method: 'GET', path: /^\/apis\/[^/]+\/v1\/roles$/, query: { watch: false } }),
  ),
  fault(
    'a list at version 0 does not heed its labels',
    ['lists', 'params'],
    ignoreQuery('labelSelector', { method: 'GET', query: { resourceVersion: '0', watch: false } }),
  ),
  fault(
    'later pages forget the labels where no namespace is named',
    ['lists', 'params'],
    ignoreQuery('labelSelector', { method: 'GET', path: outsideNamespaces, query: { continue: true } }),
  ),
  fault(
    'a list of all namespaces by fields forgets the labels',
    ['lists', 'params'],
    ignoreQuery('labelSelector', { method: 'GET', path: /^((?!\/namespaces\/).)*$/, query: { fieldSelector: true } }),
  ),
  slip(
    'notin of several values selects only what has the key',
    ['lists', 'params'],
    labelSelector,
    'return (value !== undefined && set.has(value)) === wanted;',
    'return value !== undefined && set.has(value) === wanted;',
  ),
  slip(
    'every label selector is refused',
    ['params', 'lists'],
    labelSelector,
    'found.push(checked(this.#requirement()));',
    '',
  ),
  slip(
    'labels with a domain in their key select nothing',
    ['lists', 'watch', 'params'],
    labelSelector,
    'labels && Object.hasOwn(labels, key) ? labels[key] : undefined;',
    "labels && Object.hasOwn(labels, key.slice(key.lastIndexOf('/') + 1)) ? labels[key.slice(key.lastIndexOf('/') + 1)] : undefined;",
  ),
  slip(
    'keys that are asked not to be there are looked for among all but the first label',
    ['params', 'lists'],
    labelSelector,
    "    case 'DoesNotExist':\n      return (labels) => labelOf(labels, key) === undefined;",
    "    case 'DoesNotExist':\n      return (labels) => labels !== undefined && labels !== null && Object.keys(labels).length > 0 && labelOf(labels, key) === undefined;",
  ),
  slip(
    'of two terms of a label selector the second is not looked at',
    ['params', 'lists', 'watch'],
    labelSelector,
    'checks.length < 2 ? first : (labels: Labels) => checks.every((check) => check(labels))',
    'checks.length < 3 ? first : (labels: Labels) => checks.every((check) => check(labels))',
  ),
  slip(
    'the terms of a label selector are alternatives',
    ['params', 'lists'],
    labelSelector,
    'checks.every((check) => check(labels))',
    'checks.some((check) => check(labels))',
  ),
  slip(
    '!= leaves out objects without the label',
    ['params', 'lists'],
    labelSelector,
    'if (values.length === 1) return (labels) => (labelOf(labels, key) === only) === wanted;',
    'if (values.length === 1) return (labels) => (wanted || labelOf(labels, key) !== undefined) && (labelOf(labels, key) === only) === wanted;',
  ),
  slip(
    'a label that is there with an empty value does not count as there',
    ['params', 'lists'],
    labelSelector,
    'return (labels) => labelOf(labels, key) !== undefined;',
    'return (labels) => Boolean(labelOf(labels, key));',
  ),
  slip(
    '!key selects what has it',
    ['params', 'lists'],
    labelSelector,
    'return (labels) => labelOf(labels, key) === undefined;',
    'return (labels) => labelOf(labels, key) !== undefined;',
  ),
  slip(
    'in heeds the first of its values alone',
    ['lists', 'params'],
    labelSelector,
    'return (value !== undefined && set.has(value)) === wanted;',
    'return (value !== undefined && (wanted ? value === only : set.has(value))) === wanted;',
  ),
  slip(
    'notin heeds the last of its values alone',
    ['lists', 'params'],
    labelSelector,
    'return (value !== undefined && set.has(value)) === wanted;',
    'return (value !== undefined && (wanted ? set.has(value) : value === values.at(-1))) === wanted;',
  ),
  slip(
    'a blank in a label selector ends it',
    ['lists', 'params'],
    labelSelector,
    'const tokenPattern = /[ \\t\\r\\n]*(?:',
    'const tokenPattern = /(?:',
  ),
  slip(
    'a label selector of a list or watch matches everything',
    ['params', 'lists'],
    labelSelector,
    "text === '' ? everyLabels : compile(new Parser(text).requirements());",
    '(everyLabels);',
  ),
  slip(
    'a number in a selector is compared with nothing',
    ['params', 'lists'],
    labelSelector,
    'return value !== undefined && holds(value, limit);',
    'return (value !== undefined);',
  ),
  slip(
    'a selection by labels goes by those that an object was made with',
    ['service', 'lists', 'watch'],
    'registry/list-options.ts',
    'const matchesLabels = (selector: LabelSelector, { labels }: Stored) => selector.matches(labels);',
    "const firstLabels = new Map();\nconst matchesLabels = (selector: LabelSelector, stored: Stored) => {\n  const { uid = '' } = stored.value.metadata;\n  if (!firstLabels.has(uid)) firstLabels.set(uid, stored.labels);\n  return selector.matches(firstLabels.get(uid));\n};",
  ),
  slip(
    'an object without any labels is taken for none that lacks one',
    ['lists', 'watch', 'params'],
    'registry/list-options.ts',
    '=> selector.matches(labels)',
    '=> Object.keys(labels).length > 0 && selector.matches(labels)',
  ),
  slip(
    'a list of exactly one version is selected by the labels of today',
    ['lists', 'params'],
    'registry/list.ts',
    '    const { items, revision: shown } = await services.store.list(prefix, at);\n    return { items: items.filter(selection.matches), revision: shown };',
    '    const { items, revision: shown } = await services.store.list(prefix, at);\n    const now = revision === undefined ? items : (await services.store.list(prefix, {})).items;\n    return { items: items.filter((one) => selection.matches(now.find(({ key }) => key === one.key) ?? one)), revision: shown };',
  ),
  fault(
    'a label selector is read in small letters',
    ['params', 'lists'],
    misread({ query: { labelSelector: /[A-Z]/ } }, (query) =>
      query.set('labelSelector', (query.get('labelSelector') ?? '').toLowerCase()),
    ),
  ),
  slip(
    'pages of an exact list are selected by the labels of today',
    ['lists', 'params'],
    'registry/list.ts',
    '    for (const [i, stored] of items.entries()) {\n      if (!matches(stored)) continue;',
    '    const today = start.revision === undefined ? items : (await call.services.store.list(prefix, {})).items;\n    for (const [i, stored] of items.entries()) {\n      if (!matches(today.find(({ key }) => key === stored.key) ?? stored)) continue;',
  ),
  fault(
    'lists in protobuf forget the label selector',
    ['content', 'params', 'lists'],
    ignoreQuery('labelSelector', { method: 'GET', header: inProtobuf }),
  ),
  slip(
    'of two terms about one label the later counts',
    ['lists', 'params', 'watch'],
    labelSelector,
    'const checks = requirements.map(compileRequirement);',
    'const checks = [...new Map(requirements.map((each) => [each.key, each])).values()].map(compileRequirement);',
  ),
  slip(
    'a number that a label must be beyond may be it',
    ['lists', 'params', 'watch'],
    labelSelector,
    '(value, limit) => value > limit',
    '(value, limit) => value >= limit',
  ),
  slip(
    'of several terms about one label the first counts',
    ['params'],
    labelSelector,
    'const checks = requirements.map(compileRequirement);',
    'const checks = requirements.filter(({ key }, at) => requirements.findIndex((each) => each.key === key) === at).map(compileRequirement);',
  ),
  slips(
    'a label whose value is empty is none',
    ['lists', 'params', 'meta', 'watch'],
    [
      {
        file: 'base/selectors/label-selector.ts',
        from: 'return (labels) => labelOf(labels, key) !== undefined;',
        to: 'return (labels) => Boolean(labelOf(labels, key));',
      },
      {
        file: 'base/selectors/label-selector.ts',
        from: 'return (labels) => labelOf(labels, key) === undefined;',
        to: 'return (labels) => !labelOf(labels, key);',
      },
    ],
  ),
  slip(
    'an empty value among others of a label is passed over',
    ['params', 'lists'],
    labelSelector,
    "values.add(this.#next.type === 'word' ? this.#advance().text : '');",
    "if (this.#next.type === 'word') values.add(this.#advance().text);",
  ),
  slip(
    'numbers in a label selector are compared letter by letter',
    ['params', 'lists'],
    labelSelector,
    'return value !== undefined && holds(value, limit);',
    'return value !== undefined && holds(String(value) as never, String(limit) as never);',
  ),
  fault(
    'StatefulSets are listed without regard to labels',
    ['params', 'lists'],
    ignoreQuery('labelSelector', { method: 'GET', path: /\/statefulsets$/ }),
  ),
  slip(
    'a label selector may name values that no label has',
    ['params'],
    labelSelector,
    '...values.flatMap((value) => labelValue(value).map(',
    "...[''].flatMap((value) => labelValue(value).map(",
  ),
  slip(
    'a null character does not end a label selector',
    'lists',
    'registry/list-options.ts',
    "parameters.labelSelector?.split('\\0') ?? []",
    '[parameters.labelSelector]',
  ),
  slip(
    'numbers in a label selector are rounded beyond 53 bits',
    ['params'],
    'base/selectors/label-selector.ts',
    "const number = BigInt(text.startsWith('+') ? text.slice(1) : text);",
    'const number = BigInt(Math.trunc(Number(text)));',
  ),
  fault(
    'LimitRanges are listed without regard to labels',
    'params',
    ignoreQuery('labelSelector', { method: 'GET', path: /\/limitranges$/ }),
  ),
  slip(
    'a label is compared with what is no number, if it is to be less than that',
    ['params'],
    'base/selectors/label-selector.ts',
    "(operator === 'Gt' || operator === 'Lt') && values",
    "operator === 'Gt' && values",
  ),
];
