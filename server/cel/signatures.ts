import { type CelType, dyn, listOf, mapOf, type NamedType, named, type TypeVariable } from './type.ts';

/** One form of a function: what it takes and gives. Methods take their receiver first. */
export interface Signature {
  readonly parameters: readonly CelType[];
  readonly result: CelType;
}

/**
 * The functions of rules, one name a line with its forms; `.name` is a method. Capitals stand for any type.
 * Standard library of CEL, string extensions, and what Kubernetes adds for lists, regular expressions and URLs.
 */
const declared = `
_+_ int,int:int uint,uint:uint double,double:double string,string:string bytes,bytes:bytes list<A>,list<A>:list<A> timestamp,duration:timestamp duration,timestamp:timestamp duration,duration:duration
_-_ int,int:int uint,uint:uint double,double:double timestamp,timestamp:duration timestamp,duration:timestamp duration,duration:duration
_*_ int,int:int uint,uint:uint double,double:double
_/_ int,int:int uint,uint:uint double,double:double
_%_ int,int:int uint,uint:uint
-_ int:int double:double
!_ bool:bool
_&&_ bool,bool:bool
_||_ bool,bool:bool
_?_:_ bool,A,A:A
_==_ A,A:bool
_!=_ A,A:bool
_<_ bool,bool:bool int,int:bool uint,uint:bool double,double:bool string,string:bool bytes,bytes:bool timestamp,timestamp:bool duration,duration:bool
_[_] list<A>,int:A map<A,B>,A:B
@in A,list<A>:bool A,map<A,B>:bool
@not_strictly_false bool:bool
size string:int bytes:int list<A>:int map<A,B>:int
.size string:int bytes:int list<A>:int map<A,B>:int
.contains string,string:bool
.startsWith string,string:bool
.endsWith string,string:bool
.matches string,string:bool
int int:int uint:int double:int string:int timestamp:int duration:int
uint uint:uint int:uint double:uint string:uint
double double:double int:double uint:double string:double
bool bool:bool string:bool
bytes bytes:bytes string:bytes
string string:string bool:string int:string uint:string double:string bytes:string timestamp:string duration:string
timestamp timestamp:timestamp string:timestamp int:timestamp
duration duration:duration string:duration int:duration
type A:type
dyn A:dyn
.getFullYear timestamp:int timestamp,string:int
.getMonth timestamp:int timestamp,string:int
.getDayOfYear timestamp:int timestamp,string:int
.getDayOfMonth timestamp:int timestamp,string:int
.getDate timestamp:int timestamp,string:int
.getDayOfWeek timestamp:int timestamp,string:int
.getHours timestamp:int timestamp,string:int duration:int
.getMinutes timestamp:int timestamp,string:int duration:int
.getSeconds timestamp:int timestamp,string:int duration:int
.getMilliseconds timestamp:int timestamp,string:int duration:int
.charAt string,int:string
.indexOf string,string:int string,string,int:int list<A>,A:int
.lastIndexOf string,string:int string,string,int:int list<A>,A:int
.join list<string>:string list<string>,string:string
.lowerAscii string:string
.upperAscii string:string
.replace string,string,string:string string,string,string,int:string
.split string,string:list<string> string,string,int:list<string>
.substring string,int:string string,int,int:string
.trim string:string
.isSorted list<int>:bool list<uint>:bool list<double>:bool list<bool>:bool list<string>:bool list<bytes>:bool list<timestamp>:bool list<duration>:bool
.sum list<int>:int list<uint>:uint list<double>:double list<duration>:duration
.min list<int>:int list<uint>:uint list<double>:double list<bool>:bool list<string>:string list<bytes>:bytes list<timestamp>:timestamp list<duration>:duration
.max list<int>:int list<uint>:uint list<double>:double list<bool>:bool list<string>:string list<bytes>:bytes list<timestamp>:timestamp list<duration>:duration
.find string,string:string
.findAll string,string:list<string> string,string,int:list<string>
url url:url string:url
isURL string:bool
.getScheme url:string
.getHost url:string
.getHostname url:string
.getPort url:string
.getEscapedPath url:string
.getQuery url:map<string,list<string>>
`;

type Form = (variables: Map<string, TypeVariable>) => Signature;

const forms = new Map<string, readonly Form[]>();
for (const line of declared.trim().split('\n')) {
  const [name = '', ...texts] = line.split(' ');
  forms.set(name, texts.map(parseForm));
}
for (const comparison of ['_<=_', '_>_', '_>=_']) forms.set(comparison, forms.get('_<_') as readonly Form[]);

function parseForm(text: string): Form {
  const [parameters = '', result = ''] = text.split(':');
  const parts = parameters.match(/[^,<]+(?:<(?:[^<>]|<[^<>]*>)*>)?/g) ?? [];
  return (variables) => ({
    parameters: parts.map((part) => parseType(part, variables)),
    result: parseType(result, variables),
  });
}

function parseType(text: string, variables: Map<string, TypeVariable>): CelType {
  if (/^[A-Z]$/.test(text)) {
    const known = variables.get(text) ?? { is: 'variable' };
    variables.set(text, known);
    return known;
  }
  const inner = text.slice(text.indexOf('<') + 1, -1);
  if (text.startsWith('list<')) return listOf(parseType(inner, variables));
  if (text.startsWith('map<')) {
    const comma = inner.indexOf(',');
    return mapOf(parseType(inner.slice(0, comma), variables), parseType(inner.slice(comma + 1), variables));
  }
  return text === 'dyn' ? dyn : named(text as NamedType['is']);
}

/** The forms of a function with type variables of their own; empty: there is no such function. */
export const signaturesOf = (name: string): Signature[] => (forms.get(name) ?? []).map((form) => form(new Map()));
