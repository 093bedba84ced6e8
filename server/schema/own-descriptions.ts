/**
 * What is said here of definitions and fields of which the package of documented texts says nothing: by the short name
 * of a definition, then by field; `''` is the definition itself.
 */
export const ownDescriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CustomResourceSubresourceStatus: {
    '': 'Turns on the status subresource: `/status` then takes changes of status alone, and every other write leaves status as it is. It has no settings.',
  },
  ExternalDocumentation: {
    description: 'What is found at the address.',
    url: 'Address of the documentation.',
  },
  FieldsV1: {
    '': 'A set of fields as a tree: `f:name` is a field, `k:{…}` a list element by its keys, `v:…` one by its value, `i:n` one by its position, and `.` the object or list itself.',
  },
  IntOrString: { '': 'A whole number of 32 bits, or text such as a percentage or the name of a port.' },
  Info: {
    buildDate: 'When the server was built, as an RFC 3339 time.',
    compiler: 'What the server was compiled with.',
    gitCommit: 'The commit that the server was built from, in hexadecimal.',
    gitTreeState: '`clean` when the server was built from that very commit, `dirty` when something had been changed.',
    gitVersion: 'The version of the server, as its tag says it.',
    goVersion: 'The version of the language that the server runs on.',
    platform: 'The operating system and the architecture that the server was built for, with a slash between them.',
  },
  JSON: { '': 'Any JSON value.' },
  JSONSchemaProps: {
    $ref: 'A reference to another schema. Definitions of custom resources may not use it.',
    $schema: 'Address of the rules that the schema itself follows. It has no effect.',
    allOf: 'Schemas of which a value must fit each.',
    anyOf: 'Schemas of which a value must fit at least one.',
    definitions: 'Schemas to refer to, by name. Definitions of custom resources may not use them.',
    dependencies:
      'By the name of a property, what else must hold once it is there. Definitions of custom resources may not use it.',
    description: 'What a value means, for people; `kubectl explain` shows it.',
    enum: 'All values that are allowed.',
    exclusiveMaximum: 'Whether a number must be below `maximum` and may not be equal to it.',
    exclusiveMinimum: 'Whether a number must be above `minimum` and may not be equal to it.',
    id: 'A name of the schema. Definitions of custom resources may not use it.',
    maxItems: 'The largest number of elements of a list.',
    maxLength: 'The largest number of characters of a text.',
    maxProperties: 'The largest number of members of an object.',
    maximum: 'The largest number that is allowed.',
    minItems: 'The smallest number of elements of a list.',
    minLength: 'The smallest number of characters of a text.',
    minProperties: 'The smallest number of members of an object.',
    minimum: 'The smallest number that is allowed.',
    multipleOf: 'A number of which a value must be a multiple.',
    nullable: 'Whether null is allowed beside the type. Where it is not, a null is dropped, or becomes the default.',
    oneOf: 'Schemas of which a value must fit exactly one.',
    pattern: 'A regular expression that a text must match somewhere; anchor it to have it match the whole.',
    patternProperties:
      'Schemas of members by a pattern of their names. Definitions of custom resources may not use it.',
    properties: 'The fields of an object by name, each with its schema.',
    required: 'Names of the fields that an object must have.',
    title: 'A short name for people.',
    type: 'The type of a value: `array`, `boolean`, `integer`, `number`, `object` or `string`.',
    uniqueItems:
      'Whether no two elements of a list may be equal. Definitions of custom resources may not set it to true; a list of type `set` says the same.',
  },
  JSONSchemaPropsOrArray: { '': 'A schema, or a list of schemas.' },
  JSONSchemaPropsOrBool: { '': 'A schema, or true for anything and false for nothing.' },
  JSONSchemaPropsOrStringArray: { '': 'A schema, or a list of names of properties.' },
  LimitedPriorityLevelConfiguration: {
    assuredConcurrencyShares:
      'The share of this level in the seats of the server. A level gets as many seats as its share of the sum of all shares of limited levels, rounded up. Default: 30.',
  },
  MicroTime: { '': 'A time in RFC 3339 with six digits of fractions of a second.' },
  NetworkPolicy: { status: 'What is known of how the policy is carried out.' },
  NetworkPolicyStatus: {
    '': 'What is known of how a NetworkPolicy is carried out.',
    conditions: 'What those who carry out the policy say of it, one condition for each type.',
  },
  Patch: { '': 'A patch, of the type that the media type of the request names.' },
  PersistentVolumeClaimStatus: {
    resizeStatus: 'How far the growth of the volume has come. Empty when none is under way.',
  },
  Quantity: {
    '': 'An amount: a number, then a suffix of ten (`m`, `k`, `M`, `G`, `T`, `P`, `E`), of two (`Ki`, `Mi`, `Gi`, `Ti`, `Pi`, `Ei`), or an exponent (`e3`). `0.5` and `500m` are equal; what is stored is written without a fraction.',
  },
  RawExtension: { '': 'An object of a kind that this one does not prescribe.' },
  Time: { '': 'A time in RFC 3339, in whole seconds.' },
  WatchEvent: {
    type: 'What happened: `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` or `ERROR`.',
  },
};
