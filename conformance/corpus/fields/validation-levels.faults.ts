import { answerHeader, answerStatus, forceQuery, ignoreQuery, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { asTable, custom, itemsOf, merging, topCollections } from '../matches.ts';
import { lenient, misread } from '../meddling.ts';

/** Several warnings are put together in the text of the first. */
const oneWarning = sabotage('joins warnings', () => ({
  answer: (answer) => {
    const { warning } = answer.headers;
    if (typeof warning === 'string' || warning === undefined) return answer;
    const texts = warning.map((each) => each.replace(/^299 \S+ "(.*)"$/s, '$1'));
    return { ...answer, headers: { ...answer.headers, warning: `299 - "${texts.join(', ')}"` } };
  },
}));

const unwarned = sabotage('does not warn of what is made', () => ({
  answer: (answer) => {
    const { warning: _, ...headers } = answer.headers;
    return answer.status === 201 ? { ...answer, headers } : answer;
  },
}));

/** Strict, Warn and Ignore: where fieldValidation is heeded, and what it then does. */
export default [
  fault(
    'Strict is not heeded where something without a namespace is made',
    ['fields'],
    ignoreQuery('fieldValidation', { method: 'POST', path: topCollections }),
  ),
  fault('all unknown fields are told in one warning', ['fields'], oneWarning),
  fault(
    'any word for the validation of fields that is not known is Warn',
    ['fields', 'params'],
    misread({ query: { fieldValidation: /^(?!(Ignore|Warn|Strict)$)/ } }, (query) => query.delete('fieldValidation')),
  ),
  fault(
    'Strict is not heeded where a Role is replaced',
    ['fields'],
    ignoreQuery('fieldValidation', { method: 'PUT', path: itemsOf('roles') }),
  ),
  fault(
    'the warning of an unknown field is lost where a Job is patched',
    ['fields'],
    forceQuery('fieldValidation', 'Ignore', {
      method: 'PATCH',
      path: itemsOf('jobs'),
      query: { fieldValidation: 'Warn' },
    }),
  ),
  fault(
    'Strict is not heeded in merge patches of a status',
    ['fields'],
    ignoreQuery('fieldValidation', { method: 'PATCH', path: /\/status$/, header: merging }),
  ),
  fault(
    'where unknown fields are ignored nothing is validated',
    ['fields', 'component'],
    lenient({ method: ['POST', 'PUT'], query: { fieldValidation: 'Ignore' } }),
  ),
  fault(
    'Strict is a warning in patches of custom objects',
    ['fields', 'params'],
    forceQuery('fieldValidation', 'Warn', { method: 'PATCH', path: custom, query: { fieldValidation: 'Strict' } }),
  ),
  fault(
    'Warn tells of the first field only',
    'fields',
    sabotage('', () => ({
      answer: (answer) => {
        const { warning } = answer.headers;
        return Array.isArray(warning)
          ? { ...answer, headers: { ...answer.headers, warning: warning[0] ?? '' } }
          : answer;
      },
    })),
  ),
  fault(
    'fieldValidation is ignored by updates of a status',
    'fields',
    ignoreQuery('fieldValidation', { method: 'PUT', path: /\/status$/ }),
  ),
  fault(
    'fieldValidation is ignored by JSON patches',
    'fields',
    ignoreQuery('fieldValidation', { header: { 'content-type': /json-patch/ } }),
  ),
  fault(
    'an update without fieldValidation says nothing',
    'fields',
    sabotage('', () => ({
      request: (request) =>
        request.method === 'PUT' && !request.query.has('fieldValidation')
          ? { ...request, rawQuery: `${request.rawQuery}&fieldValidation=Ignore` }
          : request,
    })),
  ),
  fault(
    'a refusal by Strict is 422',
    'fields',
    answerStatus(422, { method: 'POST', query: { fieldValidation: 'Strict' }, instead: 400 }),
  ),
  fault(
    'Ignore warns all the same',
    'fields',
    sabotage('', () => ({
      request: (request) =>
        request.query.get('fieldValidation') === 'Ignore'
          ? { ...request, rawQuery: request.rawQuery.replace('Ignore', 'Warn') }
          : request,
    })),
  ),
  fault(
    'Strict is not heeded in YAML',
    ['fields'],
    ignoreQuery('fieldValidation', { header: { 'content-type': /application\/yaml/ } }),
  ),
  fault(
    'a merge patch warns of no unknown field',
    ['fields'],
    answerHeader('warning', undefined, { method: 'PATCH', header: { 'content-type': /merge-patch/ } }),
  ),
  slip(
    'an unknown field in the body of an operation passes Strict',
    ['fields'],
    'registry/operation.ts',
    'judgeFaults(call, decoded.faults(unknown), call',
    'judgeFaults(call, decoded.faults([]), call',
  ),
  slip(
    'Strict tells of the first fault of a patch alone',
    ['fields'],
    'registry/patch.ts',
    'heedFaults(call, faults, call',
    "heedFaults(call, call.options.fieldValidation === 'Strict' ? faults.slice(0, 1) : faults, call",
  ),
  slip(
    'nobody who patches is warned',
    ['fields'],
    'registry/patch.ts',
    'if (same) heedFaults(',
    "if (same && call.options.fieldValidation === 'Strict') heedFaults(",
  ),
  slip(
    'Strict passes what is unknown where a Scale is replaced',
    ['fields'],
    'registry/typed.ts',
    'if (unknown.length > 0 || decoded.duplicates.length > 0) {',
    "if ((unknown.length > 0 || decoded.duplicates.length > 0) && served.kind !== 'Scale') {",
  ),
  slip(
    'field validation is Ignore unless it is asked for',
    ['fields', 'params'],
    'registry/options.ts',
    "fieldValidation: (fieldValidation || 'Warn') as FieldValidation",
    "fieldValidation: (fieldValidation || 'Ignore') as FieldValidation",
  ),
  slip(
    'unknown fields of a body sent to a subresource are never told',
    ['fields', 'params'],
    'request/verbs/write.ts',
    'typedBody(call, said, decoded, { validation, inTurns })',
    "typedBody(call, said, decoded, { validation: call.subresource ? 'Ignore' : validation, inTurns })",
  ),
  fault('warnings are lost where something is made', ['fields', 'webhook'], unwarned),
  fault(
    'Strict is not heeded where the answer is to be a Table',
    ['fields'],
    ignoreQuery('fieldValidation', { header: asTable }),
  ),
  fault(
    'Strict is not heeded beside a fieldManager',
    ['fields', 'params'],
    misread({ query: { fieldManager: true, fieldValidation: 'Strict' } }, (query) => query.delete('fieldValidation')),
  ),
  fault(
    'Strict is not heeded in the status of custom objects',
    ['fields', 'params'],
    misread({ method: 'PUT', path: /touchstone\.example.*\/status$/ }, (query) => query.delete('fieldValidation')),
  ),
  slip(
    'Strict is not heeded in evictions and bindings',
    ['fields', 'names'],
    'registry/operation.ts',
    'judgeFaults(call, decoded.faults(unknown), call',
    "if (call.subresource !== 'eviction' && call.subresource !== 'binding') judgeFaults(call, decoded.faults(unknown), call",
  ),
  slip(
    'a strict patch with unknown fields goes through with a warning',
    ['fields'],
    'registry/patch.ts',
    'if (same) heedFaults(call, faults, call.options.fieldValidation, badPatch);',
    "if (same) heedFaults(call, faults, call.options.fieldValidation === 'Strict' && !call.subresource ? 'Warn' : call.options.fieldValidation, badPatch);",
  ),
  slip(
    'a patch that is to ignore unknown fields warns of them',
    ['fields'],
    'registry/patch.ts',
    'if (same) heedFaults(call, faults, call.options.fieldValidation, badPatch);',
    "if (same) heedFaults(call, faults, call.options.fieldValidation === 'Ignore' ? 'Warn' : call.options.fieldValidation, badPatch);",
  ),
  slips(
    'a write that changes nothing warns of nothing',
    ['fields'],
    [
      {
        file: 'request/dispatch.ts',
        from: 'warn: (text) => exchange.warn(text),',
        to: 'warn: (text) => exchange.warn(text),\n    mute: () => exchange.mute(),',
      },
      {
        file: 'request/exchange.ts',
        from: 'warn(text: string): void {',
        to: 'mute(): void {\n    this.#warnings = undefined;\n  }\n\n  warn(text: string): void {',
      },
      {
        file: 'registry/steps/commit.ts',
        from: '{ next, emptiesBytes, managed, context }: Draft, kept',
        to: '{ next, emptiesBytes, managed, context, call }: Draft, kept',
      },
      {
        file: 'registry/steps/commit.ts',
        from: 'return isSame ? { keep: true } : { write: next };',
        to: 'if (isSame) call.mute?.();\n  return isSame ? { keep: true } : { write: next };',
      },
    ],
  ),
  slip(
    'Strict only warns in bodies of subresources',
    ['fields'],
    'registry/typed.ts',
    'judgeFaults(call, faults, validation, served.kind);\n  }\n  const object',
    "judgeFaults(call, faults, call.subresource && validation === 'Strict' ? 'Warn' : validation, served.kind);\n  }\n  const object",
  ),
];
