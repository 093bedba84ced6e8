import { edited } from '../../sabotage/edited.ts';
import { changeRequest, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';

const check = 'schema/check.ts';

/** A header of other letters is left out. */
const asciiAlone = sabotage('warns in ASCII', () => ({
  answer: (answer) => {
    const { warning = [], ...headers } = answer.headers;
    const plain = [warning].flat().filter((text) => /^[ -~]*$/.test(text));
    return { ...answer, headers: plain.length > 0 ? { ...headers, warning: plain } : headers };
  },
}));

/** Fields that nobody knows: which are found, and how they are called. */
export default [
  fault(
    'unknown fields of metadata pass unseen',
    'fields',
    changeRequest('', (body) => edited(body, ['metadata', 'size'], () => undefined), { method: 'POST' }),
  ),
  slip(
    'an unknown field is told of by the path of another',
    ['fields'],
    check,
    'if (this.unknown.length >= maximumFaults) return;\n    this.#way[depth] = key;',
    'if (this.unknown.length >= maximumFaults) return;\n    ',
  ),
  slip(
    'unknown fields behind the first item of a list pass unseen',
    ['fields'],
    check,
    'if (this.unknown.length >= maximumFaults) return;',
    "if (this.unknown.length >= maximumFaults || this.#way.slice(0, depth).some((step) => typeof step === 'number' && step > 0)) return;",
  ),
  slip(
    'unknown fields in lists pass unseen',
    ['fields'],
    check,
    'if (this.unknown.length >= maximumFaults) return;',
    "if (this.unknown.length >= maximumFaults || this.#way.slice(0, depth).some((step) => typeof step === 'number')) return;",
  ),
  slip(
    'unknown fields of one name are told of once, however many items have them',
    ['fields'],
    check,
    'this.unknown.push({ path: pathOf(this.#way, depth + 1), holder, key });',
    "const place = (path: string) => path.replace(/\\[\\d+\\]/g, '');\n    const path = pathOf(this.#way, depth + 1);\n    if (this.unknown.some((one) => place(one.path) === place(path))) return;\n    this.unknown.push({ path, holder, key });",
  ),
  slip(
    'unknown fields in a strategic merge patch pass unseen',
    ['fields'],
    'registry/patch.ts',
    'const made = yield* readResult(call, document, read, result);',
    'const made = { ...(yield* readResult(call, document, read, result)), ...(read.wrapsNumbers && { faults: [] }) };',
  ),
  slip(
    'several unknown fields are told in one warning',
    ['fields'],
    'registry/typed.ts',
    'for (const fault of faults.slice(0, maximumWarnings)) call.warn(fault);',
    "call.warn(faults.slice(0, maximumWarnings).join(', '));",
  ),
  slip(
    'unknown fields of the elements of a list in a custom object are dropped without a word, even under Strict',
    ['fields'],
    check,
    'const after = this.prune(before, items, depth + 1);',
    'const after = new Walk(this.#odd).prune(before, items, 0);',
  ),
  slip(
    'all unknown fields of a body are told, however many',
    ['fields'],
    'registry/typed.ts',
    'for (const fault of faults.slice(0, maximumWarnings)) call.warn(fault);',
    'for (const fault of faults) call.warn(fault);',
  ),
  slip(
    'unknown fields within the values of a map in a custom object pass unseen',
    ['fields'],
    check,
    '      const before = value[key] as Json;\n      const after = this.prune(before, values, depth + 1);',
    '      const before = value[key] as Json;\n      const known = this.unknown.length;\n      const after = this.prune(before, values, depth + 1);\n      this.unknown.length = known;',
  ),
  slip(
    'patches are told of unknown fields at the top alone',
    ['fields'],
    'registry/patch.ts',
    '...unknown.map(({ path }) =>',
    "...unknown.filter(({ path }) => !path.includes('[')).map(({ path }) =>",
  ),
  slip(
    'unknown fields of metadata within an object pass unseen',
    ['fields'],
    check,
    'if (this.unknown.length >= maximumFaults) return;',
    "if (this.unknown.length >= maximumFaults || this.#way.slice(1, depth).includes('metadata')) return;",
  ),
  slip(
    'an unknown field that holds nothing goes unnoticed',
    ['fields'],
    'schema/check.ts',
    '      if (field === undefined) {\n        this.noteUnknown(value, key, depth);',
    '      if (field === undefined) {\n        if (value[key] !== null) this.noteUnknown(value, key, depth);',
  ),
  slip(
    'quotes within a warning have nothing before them',
    ['fields'],
    'request/answer/respond.ts',
    "headers['warning'] = [...warnings].map(warningHeader);",
    'headers[\'warning\'] = [...warnings].map((text) => `299 - "${text}"`);',
  ),
  slip(
    'unknown fields deep within an object pass unseen',
    ['fields'],
    'schema/check.ts',
    'if (this.unknown.length >= maximumFaults) return;',
    'if (this.unknown.length >= maximumFaults || depth > 5) return;',
  ),
  fault('an unknown field is not warned of where its name is beyond ASCII', ['fields'], asciiAlone),
];
