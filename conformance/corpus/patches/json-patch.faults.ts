import { changeRequest } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';

const jsonPatch = 'patch/json-patch.ts';

/** JSON patches. */
export default [
  fault(
    'remove in a JSON patch does nothing',
    ['deletion', 'verbs'],
    changeRequest('', (body) => (Array.isArray(body) ? body.filter(({ op }) => op !== 'remove') : body), {
      method: 'PATCH',
    }),
  ),
  slip(
    'a JSON patch takes away what is not there',
    ['verbs'],
    jsonPatch,
    'if (!Object.hasOwn(container, segment)) throw missing(segment);',
    'if (!Object.hasOwn(container, segment)) return;',
  ),
  slip(
    'a JSON patch moves nothing from a list to another place',
    ['verbs'],
    jsonPatch,
    '    this.#remove(source);\n    this.#add(this.#place(path), value ?? null);',
    '    if (!Array.isArray(source.container)) this.#remove(source);\n    this.#add(this.#place(path), value ?? null);',
  ),
  slip(
    'tilde-zero-one in a pointer of a JSON patch is a slash',
    ['verbs', 'fields'],
    jsonPatch,
    "return segments.slice(1).map((each) => each.replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~')));",
    "return segments.slice(1).map((each) => each.replaceAll('~0', '~').replaceAll('~1', '/'));",
  ),
  slip(
    'what a JSON patch copies changes with what it was copied from',
    ['verbs'],
    jsonPatch,
    'this.#add(target, cloneJson(value));',
    'this.#add(target, value);',
  ),
  slip(
    'a test in a JSON patch looks at the order of members',
    ['verbs'],
    jsonPatch,
    'if (!deepEqual(value, expected)) throw',
    'if (JSON.stringify(value) !== JSON.stringify(expected)) throw',
  ),
  slip(
    'what a JSON patch moves stays where it was',
    ['content', 'verbs'],
    jsonPatch,
    '    this.#remove(source);\n',
    '',
  ),
  slip(
    'a JSON patch may remove what is not there',
    ['content', 'verbs'],
    jsonPatch,
    'if (!Object.hasOwn(container, segment)) throw missing(segment);',
    '',
  ),
  slip(
    'move in a JSON patch copies',
    ['verbs'],
    jsonPatch,
    '    this.#remove(source);\n    this.#add(this.#place(path), value ?? null);',
    '    this.#add(this.#place(path), value ?? null);',
  ),
  slip(
    'a refused test in a JSON patch ends it with what came before',
    ['verbs'],
    jsonPatch,
    '    patching.apply(operation);',
    "    try {\n      patching.apply(operation);\n    } catch (error) {\n      if (operation.op !== 'test') throw error;\n      break;\n    }",
  ),
  slip(
    'pointers of a JSON patch are not unescaped',
    ['verbs', 'params'],
    jsonPatch,
    "(escaped === '~1' ? '/' : '~')",
    'escaped',
  ),
  slip(
    'test in a JSON patch always holds',
    ['verbs', 'params'],
    jsonPatch,
    "else if (op === 'test') this.#test(path, value);",
    "else if (op === 'test') return;",
  ),
  slip(
    'add in a list of a JSON patch replaces',
    ['verbs', 'params'],
    jsonPatch,
    'container.splice(position, 0, value);',
    'container.splice(position, 1, value);',
  ),
  slip(
    '- in a JSON patch is the beginning',
    ['verbs', 'params'],
    jsonPatch,
    "segment === '-' ? length :",
    "segment === '-' ? 0 :",
  ),
  slip(
    'a JSON patch is given up half-way and the rest stays',
    ['verbs', 'params'],
    jsonPatch,
    '    patching.apply(operation);',
    '    try {\n      patching.apply(operation);\n    } catch {\n      break;\n    }',
  ),
  slip(
    'a JSON patch copies by moving',
    ['verbs', 'params'],
    jsonPatch,
    "else if (op === 'copy') this.#copy(operation.from, path);",
    "else if (op === 'copy') this.#move(operation.from, path);",
  ),
  slip(
    'a JSON patch adds nothing to objects',
    ['verbs', 'fields'],
    jsonPatch,
    '#add({ container, segment }: Place, value: Json): void {\n    if (!Array.isArray(container)) {\n      putMember(container, segment, value);\n      return;\n    }',
    '#add({ container, segment }: Place, value: Json): void {\n    ',
  ),
  slip(
    'a test of a JSON patch sees an old state of a long list',
    ['verbs'],
    jsonPatch,
    'if (isContainer(value)) this.putTogether();',
    '',
  ),
  slip(
    'a tilde before a one is read as a slash in a JSON patch',
    ['params', 'verbs', 'content'],
    'patch/json-patch.ts',
    "each.replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~'))",
    "each.replaceAll('~0', '~').replaceAll('~1', '/')",
  ),
  slip(
    'a test of the version always holds in a JSON patch',
    ['rv', 'verbs', 'content'],
    'patch/json-patch.ts',
    'if (!deepEqual(value, expected)) throw',
    "if (!deepEqual(value, expected) && path !== '/metadata/resourceVersion') throw",
  ),
  slip(
    'a place behind the end of a list is its end in a JSON patch',
    ['verbs', 'content'],
    'patch/json-patch.ts',
    "const position = segment === '-' ? length : positionIn(length + 1, segment);",
    "const position = segment === '-' || Number(segment) > length ? length : positionIn(length + 1, segment);",
  ),
  slip(
    'what a JSON patch moves towards the end of its list comes to stand one place too early',
    ['verbs'],
    'patch/json-patch.ts',
    'this.#remove(source);\n    this.#add(this.#place(path), value ?? null);',
    `const target = this.#place(path);
    this.#add(target, value ?? null);
    const shifts = target.container === source.container && Number(target.segment) <= Number(source.segment);
    this.#remove(shifts ? { ...source, segment: String(Number(source.segment) + 1) } : source);`,
  ),
  slip(
    'a JSON patch without operations is refused',
    ['verbs'],
    jsonPatch,
    'if (!Array.isArray(body)) throw',
    'if (!Array.isArray(body) || body.length === 0) throw',
  ),
  slip(
    'a null among operations is malformed',
    'verbs',
    'patch/json-patch.ts',
    '  if (operation === null) return {};\n',
    '',
  ),
  slip(
    'copies of a JSON patch may be as large as they like',
    'verbs',
    'patch/json-patch.ts',
    'this.#copied += measureJson(value, maximumDepth);',
    'measureJson(value, maximumDepth);',
  ),
  slip(
    'what is not there is no null to a test in a JSON patch',
    ['verbs'],
    'patch/json-patch.ts',
    '    const value = this.#read(container, segment) ?? null;\n    if (isContainer(value)) this.putTogether();',
    '    const value = this.#read(container, segment);\n    if (value === undefined) throw missing(path);\n    if (isContainer(value)) this.putTogether();',
  ),
];
