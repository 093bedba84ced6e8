import { slip } from '../fault.ts';

/** How fields are spelt, and which members of a patch nobody looks at. */
export default [
  slip(
    'a field that is written with other capitals is taken for the field',
    ['fields'],
    'schema/check.ts',
    'let dropped: Set<string> | undefined;\n    for (const key in value) {\n      const field = type.fields.get(key);',
    `let dropped: Set<string> | undefined;
    for (const key of Object.keys(value)) {
      if (type.fields.has(key)) continue;
      const name = [...type.fields.keys()].find((each) => each.toLowerCase() === key.toLowerCase());
      if (name === undefined || name in value) continue;
      value[name] = value[key] as Json;
      delete value[key];
    }
    for (const key in value) {
      const field = type.fields.get(key);`,
  ),
  slip(
    'an operation of a JSON patch may have members that there are not, whatever is asked',
    ['fields'],
    'patch/json-patch.ts',
    'if (!members.has(name)) faults.push(',
    "if (!members.has(name) && operation['op'] === undefined) faults.push(",
  ),
  slip(
    'a kind is not known in other letters',
    'params',
    'registry/typed.ts',
    'if (field && key.toLowerCase() === field.toLowerCase()) named',
    'if (field && key === field) named',
  ),
];
