import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { isBuiltIn } from '../../verbs/discovery.ts';
import { fieldsOf } from '../../verbs/protobuf.ts';

/** The form in which command-line clients of this version read the schema. */
const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

/** Fields of the messages of package `openapi.v2`, by their numbers there. */
const ofDocument = { paths: 8, definitions: 9 };
const ofPath = { get: 2, put: 3, post: 4, delete: 5, patch: 8 };
const ofOperation = { parameters: 8, responses: 9, extensions: 13 };
const ofSchema = { properties: 25, required: 19, extensions: 31 };
/** Of a reference, and of what stands for itself: in a body, or beside it. */
const ofParameter = { own: 1, reference: 2, body: 1, bodyName: 2, name: 4 };

type Bytes = Uint8Array;

const all = (bytes: Bytes, wanted: number): Bytes[] =>
  fieldsOf(bytes).flatMap(([number, value]) => (number === wanted ? [value] : []));
const one = (bytes: Bytes, wanted: number): Bytes => all(bytes, wanted)[0] ?? new Uint8Array();
const text = (bytes: Bytes): string => Buffer.from(bytes).toString('utf8');

/** The entries of a map: messages of a name and what has it, in a field of a message that is nothing but them. */
const entriesOf = (bytes: Bytes, field: number): [string, Bytes][] =>
  all(bytes, field).map((entry) => [text(one(entry, 1)), one(entry, 2)]);
const namesOf = (bytes: Bytes, field: number): string[] => entriesOf(bytes, field).map(([name]) => name);

function parameterIn(bytes: Bytes): string {
  const [[sort, parameter] = []] = fieldsOf(bytes);
  if (!parameter) return '';
  if (sort === ofParameter.reference) return text(one(parameter, 1));
  const [[place, content] = []] = fieldsOf(parameter);
  if (!content) return '';
  if (place === ofParameter.body) return text(one(content, ofParameter.bodyName));
  return text(one(fieldsOf(content)[0]?.[1] ?? content, ofParameter.name));
}

/** What is told of an operation: its parameters, the codes of its answers, and what is said beside. */
type Told = readonly [parameters: readonly string[], codes: readonly string[], more: readonly string[]];

const toldInProtobuf = (operation: Bytes): Told => [
  all(operation, ofOperation.parameters).map(parameterIn),
  namesOf(one(operation, ofOperation.responses), 1).sort(),
  namesOf(operation, ofOperation.extensions).sort(),
];

const extensionsOf = (value: Json): string[] => Object.keys(value).filter((key) => key.startsWith('x-'));

const toldInJson = ({ parameters = [], responses = {}, ...rest }: Json): Told => [
  parameters.map(({ $ref, name }: Json) => $ref ?? name),
  Object.keys(responses).sort(),
  extensionsOf(rest).sort(),
];

const groupVersionOf = (path: string): string => {
  const [, prefix, group = '', version = ''] = path.split('/');
  return prefix === 'apis' ? `${group}/${version}` : prefix === 'api' ? group : '';
};

/** Paths below a version of the server itself: types that others make come and go. */
const isOwnPath = (path: string): boolean => path.split('/').length > 3 && isBuiltIn(groupVersionOf(path));

function expectSamePaths({ expect }: RuleContext, schema: Json, bytes: Bytes): void {
  const inProtobuf = new Map(entriesOf(one(bytes, ofDocument.paths), 2));
  for (const [path, item] of Object.entries<Json>(schema.paths).filter(([each]) => isOwnPath(each))) {
    const found = inProtobuf.get(path) ?? new Uint8Array();
    const methods = Object.entries(ofPath).filter(([method]) => item[method]);
    const told = methods.map(([method, field]) => [method, ...toldInProtobuf(one(found, field))]);
    expect(told, `${path} in protobuf`).toEqual(methods.map(([method]) => [method, ...toldInJson(item[method])]));
  }
}

const shapeInProtobuf = (shape: Bytes): readonly (readonly string[])[] =>
  [
    namesOf(one(shape, ofSchema.properties), 1),
    all(shape, ofSchema.required).map(text),
    namesOf(shape, ofSchema.extensions),
  ].map((names) => names.sort());

const shapeInJson = ({ properties = {}, required = [], ...rest }: Json): readonly (readonly string[])[] =>
  [Object.keys(properties), [...required], extensionsOf(rest)].map((names) => names.sort());

function expectSameShapes({ expect }: RuleContext, schema: Json, bytes: Bytes): void {
  const inProtobuf = new Map(entriesOf(one(bytes, ofDocument.definitions), 1));
  for (const [name, shape] of Object.entries<Json>(schema.definitions))
    if (name.startsWith('io.k8s.api.')) {
      const told = shapeInProtobuf(inProtobuf.get(name) ?? new Uint8Array());
      expect(told, `${name} in protobuf`).toEqual(shapeInJson(shape));
    }
}

/**
 * Who reads the schema in protobuf is told the same of what is built in, where it can be had so: no document asks for it.
 */
export async function publishesInProtobuf(context: RuleContext, schema: Json): Promise<void> {
  const { status, bytes, text: seen } = await context.send('GET', '/openapi/v2', { headers: { accept } });
  // Some know no form but JSON, and answer with it whatever is asked for.
  if (status === 406 || seen.startsWith('{')) return;
  context.expect(status, 'the schema in protobuf').toBe(200);
  expectSamePaths(context, schema, bytes);
  expectSameShapes(context, schema, bytes);
}
