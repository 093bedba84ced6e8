import { ignoreQuery } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { asTable, collectionOf, custom, inProtobuf, laterPages, lists } from '../matches.ts';
import { misread } from '../meddling.ts';

const listOptions = 'registry/list-options.ts';
const fieldSelector = 'base/field-selector.ts';

/** Field selectors: what they select, and where they are heeded. */
export default [
  fault(
    'later pages of a list forget the field selector',
    ['lists', 'params'],
    ignoreQuery('fieldSelector', laterPages),
  ),
  fault(
    'Leases are listed without regard to fields',
    ['params', 'lists'],
    ignoreQuery('fieldSelector', { ...lists, path: /\/leases$/ }),
  ),
  fault(
    'a list of everything in all namespaces forgets its fields',
    ['lists', 'params'],
    ignoreQuery('fieldSelector', { method: 'GET', path: /^\/api\/v1\/[^/]+$/, query: { watch: false } }),
  ),
  fault(
    'custom objects are listed without regard to fields',
    ['lists', 'params'],
    ignoreQuery('fieldSelector', { method: 'GET', path: custom, query: { watch: false } }),
  ),
  fault(
    'requests that are not of a signer are those that are',
    ['csr', 'params'],
    misread(
      { method: ['GET', 'DELETE'], path: collectionOf('certificatesigningrequests'), query: { fieldSelector: /!=/ } },
      (query) => query.set('fieldSelector', (query.get('fieldSelector') ?? '').replace('!=', '=')),
    ),
  ),
  slip(
    'Events are not selected by their reason in the new way',
    ['event', 'events'],
    'kinds/events/event-conversion.ts',
    "    ...reference('regarding'),\n    reason: selector(({ reason }) => reason),\n",
    "    ...reference('regarding'),\n",
  ),
  slip(
    'Events cannot be selected by what they regard',
    ['event', 'lists'],
    'kinds/events/event-conversion.ts',
    "    ...reference('regarding'),\n",
    '',
  ),
  slip(
    'one name in all namespaces is looked for in none',
    ['lists', 'params'],
    'registry/list.ts',
    'selection.name && (call.namespace || !resource.namespaced)',
    'selection.name',
  ),
  slip(
    'requests cannot be selected by their signer',
    ['csr', 'lists'],
    'kinds/certificates/certificate-signing-request.ts',
    "  selectable: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },\n",
    '',
  ),
  slip(
    'labels and fields together select by fields alone',
    ['params', 'lists', 'watch'],
    listOptions,
    '(!byLabel || matchesLabels(byLabel, stored)) &&',
    '(!byLabel || byField || matchesLabels(byLabel, stored)) &&',
  ),
  slip(
    'metadata.namespace selects nothing',
    ['params', 'lists'],
    listOptions,
    "if (field === 'metadata.namespace') return value.metadata.namespace ?? '';",
    '',
  ),
  slip(
    'an unknown field in a selector selects nothing instead of being refused',
    ['params', 'lists'],
    listOptions,
    'if (!known) throw badRequest(`field label not supported: ${field}`);',
    '',
  ),
  slip(
    'a field selector with != selects the equal',
    ['params', 'lists'],
    fieldSelector,
    "(fieldText(field) === value) === (operator === '=')",
    'fieldText(field) === value',
  ),
  slip(
    'only the first term of a field selector counts',
    ['params', 'lists'],
    fieldSelector,
    'requirements.every(({ field, operator, value })',
    'requirements.slice(0, 1).every(({ field, operator, value })',
  ),
  slip('== in a field selector is refused', ['lists', 'params'], fieldSelector, '/^(?:!=|==?)/', '/^(?:!=|=)/'),
  slip(
    'a page after the first is no longer selected by field',
    ['lists', 'collections', 'params'],
    'registry/list-options.ts',
    "parseFieldSelector(parameters.fieldSelector ?? '')",
    "parseFieldSelector((parameters.continue ? '' : parameters.fieldSelector) ?? '')",
  ),
  slip(
    'whoever selects one name need not fit what else is selected',
    ['lists', 'params', 'collections'],
    'registry/list.ts',
    '(after === undefined || key > after) && matches(stored)',
    '(after === undefined || key > after)',
  ),
  fault(
    'a Table forgets the field selector',
    ['content', 'params', 'lists'],
    ignoreQuery('fieldSelector', { method: 'GET', header: asTable }),
  ),
  fault(
    'a watch in protobuf forgets the field selector',
    ['content', 'params', 'watch'],
    ignoreQuery('fieldSelector', { query: { watch: true }, header: inProtobuf }),
  ),
  slip(
    'of two terms about one field the later counts',
    ['lists', 'params', 'watch'],
    'base/field-selector.ts',
    '    requirements.every((',
    '    [...new Map(requirements.map((each) => [each.field, each])).values()].every((',
  ),
  slip(
    'a field that is to be empty may be anything',
    ['lists', 'params', 'kinds', 'watch'],
    'base/field-selector.ts',
    "if (requirement.field !== '' || requirement.value !== '')",
    "if (requirement.field !== '' && requirement.value !== '')",
  ),
  slip(
    'a selection by fields goes by what an object was made with',
    ['lists', 'params', 'kinds', 'watch', 'csr', 'event'],
    'registry/list-options.ts',
    "    return selectable[field]?.(value) ?? '';",
    "    const of = `${field} ${value.metadata.uid}`;\n    const known = (globalThis.fieldsOf ??= new Map());\n    if (!known.has(of)) known.set(of, selectable[field]?.(value) ?? '');\n    return known.get(of);",
  ),
  slip(
    'all namespaces but one are that one',
    ['lists', 'params', 'watch'],
    'base/field-selector.ts',
    "(operator === '=')),",
    "(operator === '=' || field === 'metadata.namespace')),",
  ),
  slip(
    'a field that is not to be empty may be',
    ['params'],
    'base/field-selector.ts',
    "if (requirement.field !== '' || requirement.value !== '')",
    "if (requirement.value !== '' || (requirement.field !== '' && requirement.operator === '='))",
  ),
  slip(
    'of several requirements on one field the last counts',
    ['lists', 'params', 'watch'],
    'base/field-selector.ts',
    'requirements.push(requirement);',
    'requirements.splice(0, requirements.length, ...requirements.filter(({ field }) => field !== requirement.field), requirement);',
  ),
  slip(
    'of two names in a field selector the first is shown',
    ['params', 'lists', 'watch'],
    'base/field-selector.ts',
    'requirements.every(({ field, operator, value }) => (',
    "requirements.every(({ field, operator, value }, at) => (field === 'metadata.name' && operator === '=' && requirements.findIndex((each) => each.field === field && each.operator === '=') < at) || (",
  ),
  slip(
    'a list that selects one name shows the newest state, though an exact version was asked for',
    ['lists', 'rv'],
    'registry/list.ts',
    "return one(call, selection.name ?? '', selection.matches, at.revision, from);",
    "return one(call, selection.name ?? '', selection.matches, undefined, from);",
  ),
  slip(
    'the field selector status.successful=0 does not find jobs that have no success yet',
    ['lists', 'params', 'job'],
    'kinds/batch/job.ts',
    'String(status?.succeeded ?? 0)',
    "String(status?.succeeded ?? '')",
  ),
  slip(
    'a comma in the value of a field selector ends the term, though a backslash stands before it',
    ['params', 'lists'],
    'base/field-selector.ts',
    String.raw`const termPattern = /(?:[^\\,]+|\\.|\\$)*/sy;`,
    'const termPattern = /[^,]*/sy;',
  ),
  fault(
    'a list of one namespace is not selected by another one',
    ['params', 'lists'],
    ignoreQuery('fieldSelector', {
      method: 'GET',
      path: /\/namespaces\/[^/]+\/[a-z]+$/,
      query: { fieldSelector: /^metadata\.namespace=[^,]*$/ },
    }),
  ),
  slip(
    'a term of a field selector without an operator is passed over',
    ['params'],
    'base/field-selector.ts',
    "if (term === '') continue;",
    "if (!term.includes('=')) continue;",
  ),
  slip(
    'a page after the one object of a name shows it again',
    ['lists'],
    'registry/list.ts',
    ' && (after === undefined || key > after) && matches(stored)',
    ' && matches(stored)',
  ),
  slip(
    'all but one name selects that one alone',
    ['lists'],
    'base/field-selector.ts',
    "requirements.find((each) => each.field === field && each.operator === '=')?.value",
    'requirements.find((each) => each.field === field)?.value',
  ),
];
