import { slip, slips } from '../fault.ts';

const apply = 'patch/apply/apply.ts';
const typed = 'patch/apply/typed-value.ts';

/** What a configuration may say, and what it comes to when it says nothing new, or nothing at all. */
export default [
  slip(
    'an empty list of managed fields may be applied',
    ['apply'],
    apply,
    "if (isJsonObject(metadata) && (metadata['managedFields'] ?? null) !== null) {",
    "if (isJsonObject(metadata) && Array.isArray(metadata['managedFields']) && metadata['managedFields'].length > 0) {",
  ),
  slip(
    'an apply may give one key of a list twice',
    ['apply'],
    typed,
    'if (index.has(element)) throw new UntypedValue(`duplicate entries for key ${spellPath([element])}`);',
    '',
  ),
  slip(
    'nothing that is applied to an object that is there is left out, though its type allows it',
    ['apply', 'fields'],
    'patch/apply/merge.ts',
    'if (!Object.hasOwn(live, name)) putMember(',
    'if (!Object.hasOwn(live, name) && config[name] !== null) putMember(',
  ),
  slips(
    'an apply with force that changes nothing is stored anew each second',
    ['apply', 'rv'],
    [
      {
        file: apply,
        from: 'const unchanged = live && isEmptySet(own.set)',
        to: 'const unchanged = live && !request.force && isEmptySet(own.set)',
      },
      {
        file: 'patch/apply/track-update.ts',
        from: 'const timeless = ({ time, ...entry }: ManagedFieldsEntry) => entry;',
        to: 'const timeless = (entry: ManagedFieldsEntry) => entry;',
      },
    ],
  ),
  slip(
    'an apply to the status of an object that there is not makes it',
    ['apply', 'paths'],
    'registry/apply.ts',
    'const intent: Intent = !document || createsMissing(call)',
    "const intent: Intent = !document || call.subresource === 'status' || createsMissing(call)",
  ),
  slips(
    'who applies the same as last time changes nothing, whatever has become of the object',
    ['apply'],
    [
      {
        file: 'patch/apply/apply.ts',
        from: 'function* merged(request: ApplyRequest)',
        to: 'const lately = new Map();\nfunction* merged(request: ApplyRequest)',
      },
      {
        file: 'patch/apply/apply.ts',
        from: '  const last = managers.get(identity);',
        to: '  const last = managers.get(identity);\n  const told = `${config.kind} ${config.metadata?.name} ${identity}`;\n  const same = lately.get(told) === JSON.stringify(config);\n  lately.set(told, JSON.stringify(config));\n  if (live && same && last) return { object: asItIs(live), managedFields: live.metadata.managedFields ?? [], changed: false };',
      },
    ],
  ),
  slip(
    'managed fields of null may not be applied',
    ['apply'],
    'patch/apply/apply.ts',
    "if (isJsonObject(metadata) && (metadata['managedFields'] ?? null) !== null) {",
    "if (isJsonObject(metadata) && metadata['managedFields'] !== undefined) {",
  ),
];
