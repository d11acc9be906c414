/**
 * Owns the words that many names and addresses share, by which no two names are similar: generic ones, which say what a company
 * does or is, and the names of places, post towns and counties of the United Kingdom and the islands. These also distinguish a
 * query of a name and a place from a name alone; a place outside the list is found, too, when no name equals the query.
 */

const GENERIC_WORDS = new Set(
  (
    "A AND OF THE FOR IN AT BY ON TO LTD LIMITED PLC LLP CIC UK GB EU LONDON ENGLAND WALES SCOTLAND BRITAIN BRITISH " +
    "EUROPE EUROPEAN INTERNATIONAL GLOBAL WORLDWIDE CO COMPANY COMPANIES GROUP HOLDING HOLDINGS PARTNER PARTNERS " +
    "PARTNERSHIP ASSOCIATES SONS BROTHERS ENTERPRISE ENTERPRISES VENTURES TRADING TRADERS INDUSTRIES INDUSTRIAL " +
    "SERVICE SERVICES SOLUTION SOLUTIONS SYSTEM SYSTEMS PRODUCT PRODUCTS SUPPLY SUPPLIES CONSULTING CONSULTANCY " +
    "CONSULTANTS MANAGEMENT PROJECTS PROPERTY PROPERTIES ESTATE ESTATES DEVELOPMENT DEVELOPMENTS HOMES HOUSING " +
    "LETTINGS LAND CONSTRUCTION BUILDING BUILDERS CONTRACTORS CONTRACTING ENGINEERING ENGINEERS ELECTRICAL PLUMBING " +
    "HEATING ROOFING JOINERY SCAFFOLDING INVESTMENT INVESTMENTS CAPITAL FINANCE FINANCIAL ASSETS FUND TRUST TRUSTEES " +
    "NOMINEES SECRETARIES SECRETARIAL DIRECTORS DESIGN DESIGNS MEDIA MARKETING DIGITAL SOFTWARE TECHNOLOGY " +
    "TECHNOLOGIES TECH DATA ONLINE COMMUNICATIONS LOGISTICS TRANSPORT HAULAGE COURIERS EXPRESS TRAVEL TOURS TAXIS " +
    "CARS MOTORS AUTOS FOOD FOODS CATERING CAFE BAR RESTAURANT RESTAURANTS PIZZA HOTEL HOTELS CLEANING SECURITY " +
    "TRAINING EDUCATION RECRUITMENT CARE HEALTHCARE HEALTH MEDICAL DENTAL PHARMACY BEAUTY HAIR FITNESS FASHION " +
    "CLOTHING JEWELLERY FURNITURE KITCHENS INTERIORS GARDENS LANDSCAPES FARMS FARMING ENERGY RENEWABLES RECYCLING " +
    "WASTE RETAIL WHOLESALE IMPORTS EXPORTS STORE STORES SHOP MUSIC FILMS STUDIO STUDIOS PRODUCTIONS RESIDENTS " +
    "FREEHOLD RTM ASSOCIATION SOCIETY CLUB CHURCH COMMUNITY FOUNDATION CHARITY NEW"
  ).split(" "),
);

/** True for a word that many names share. */
export function isGeneric(word: string): boolean {
  return GENERIC_WORDS.has(word);
}

// Words that documents and searchers put around a company's name.
const AROUND_NAMES = new Set(
  (
    "MESSRS MS INVOICE INVOICES FROM TO BY FOR ATTN ATTENTION RE REF REFERENCE DEAR FIRM COMPANY BUSINESS SUPPLIER " +
    "CUSTOMER CLIENT VENDOR PAYEE PAYER ACCOUNT ACCOUNTS BILL PAID PAYMENT STATEMENT ORDER CALLED NAMED THE OF AT ON " +
    "NO NUMBER TEL TELEPHONE PHONE FAX VAT GB GBP BACS CHAPS DD TRANSFER CARD DIRECT DEBIT CREDIT TOTAL AMOUNT DATE " +
    "SEARCH FIND WHO OWNS RUNS WHAT WHERE IS ARE DIRECTORS OFFICERS ADDRESS FAO CONTACT CONTACTS DETAILS REVIEW REVIEWS " +
    "WEBSITE EMAIL JOBS CAREERS HQ HEADQUARTERS"
  ).split(" "),
);

// The words of these are parts of names by themselves.
const PAIRS_AROUND_NAMES = new Set(
  (
    "COMPANIES HOUSE,HEAD OFFICE,REGISTERED OFFICE,REGISTERED ADDRESS,ANNUAL ACCOUNTS,COMPANY NAME,BUSINESS NAME," +
    "VAT REG,VAT REGISTRATION"
  ).split(","),
);

/** True for a word that a document or a searcher may put around a company's name. */
export function isAroundNames(word: string): boolean {
  return AROUND_NAMES.has(word);
}

/** True for such a word among others, also one of a pair: `HEAD OFFICE`. */
export function isAroundNamesAt(place: number, words: string[]): boolean {
  const isPair = (first: number) => PAIRS_AROUND_NAMES.has(words.slice(first, first + 2).join(" "));
  return isAroundNames(words[place] ?? "") || (place > 0 && isPair(place - 1)) || isPair(place);
}

// Words of addresses, which occur in the names of many unrelated companies.
const ADDRESS_WORDS = new Set(
  (
    "ROAD STREET LANE AVENUE CLOSE DRIVE COURT HOUSE PARK HIGH GREEN GROVE HILL SQUARE PLACE KING KINGS QUEEN QUEENS " +
    "PRINCE ROYAL CROWN VICTORIA STATION MILL NORTH SOUTH EAST WEST NORTHERN SOUTHERN EASTERN WESTERN CENTRAL CITY TOWN OLD"
  ).split(" "),
);

/** True for a word that many names or addresses share: with another one in its place it is another name. */
export function isWidespread(word: string): boolean {
  return GENERIC_WORDS.has(word) || ADDRESS_WORDS.has(word);
}

/** The distinctive words of a name: neither generic nor part of an address. */
export function distinctiveWords(words: string[]): string[] {
  const isNumber = (word: string) => /^\d+$/.test(word);
  return withoutPlaces(words).filter((word) => !isWidespread(word) && !isNumber(word));
}

/** The same or, when there are none, the generic words: the first of these lists that is not empty. */
export function mostDistinctiveWords(words: string[]): string[] {
  const own = words.filter((word) => !GENERIC_WORDS.has(word));
  return [distinctiveWords(words), own, words].find(({ length }) => length > 0) ?? [];
}

const WRITTEN_OUT = new Map(
  Object.entries({
    ASSOC: "ASSOCIATES",
    AVE: "AVENUE",
    BROS: "BROTHERS",
    CONST: "CONSTRUCTION",
    DEVS: "DEVELOPMENTS",
    ELEC: "ELECTRICAL",
    ENG: "ENGINEERING",
    GRP: "GROUP",
    HLDGS: "HOLDINGS",
    II: "2",
    III: "3",
    INTL: "INTERNATIONAL",
    INVS: "INVESTMENTS",
    MFG: "MANUFACTURING",
    MGMT: "MANAGEMENT",
    MGT: "MANAGEMENT",
    NTHN: "NORTHERN",
    PROPS: "PROPERTIES",
    PTNRS: "PARTNERS",
    RD: "ROAD",
    SERV: "SERVICES",
    SOLNS: "SOLUTIONS",
    ST: "SAINT",
    STHN: "SOUTHERN",
    SVCS: "SERVICES",
    UTD: "UNITED",
  }),
);
// Limit: in near spellings the others are near words of their own, PROPS to CROPS, where a word is written out.
const SHORTENED = new Map(
  ["BROS", "GRP", "II", "III", "INTL", "MGMT", "ST", "SVCS"].map((short) => [
    WRITTEN_OUT.get(short) ?? short,
    short,
  ]),
);

/** The words with each that may be abbreviated written the other way in turn: ST JUDES for SAINT JUDES, ST JUDES INTL. */
export function withOtherForms(words: string[]): string[][] {
  const other = (word: string) => WRITTEN_OUT.get(word) ?? SHORTENED.get(word) ?? word;
  const written = new Set(words.filter((word) => other(word) !== word));
  return [...written].map((one) => words.map((word) => (word === one ? other(word) : word)));
}

/** The same, and with all abbreviations written out; empty for words without any, and for one alone, which may begin a name. */
export function withWrittenOut(words: string[]): string[][] {
  const { length } = words.filter((word) => WRITTEN_OUT.has(word));
  if (length === 0 || words.length === 1) return [];
  const all = words.map((word) => WRITTEN_OUT.get(word) ?? word);
  return [...(length > 1 ? [all] : []), ...withOtherForms(words)];
}

// Only where two names are compared: CO is a part of web addresses as well.
const SAME_WORD = new Map([...WRITTEN_OUT, ["CO", "COMPANY"]]);

/** The word that an abbreviation or a numeral stands for; any other word unchanged. */
export function withoutAbbreviation(word: string): string {
  return SAME_WORD.get(word) ?? word;
}

/** True for a word and its abbreviation, or two of one word: BROTHERS and BROS, SVCS and SERV. */
export function isAbbreviated(word: string, other: string): boolean {
  if (word === other) return false;
  // ST is short for SAINT, and for STREET.
  if (word === "STREET" || other === "STREET") return word === "ST" || other === "ST";
  return withoutAbbreviation(word) === withoutAbbreviation(other);
}

const CONNECTIVES = new Set("AND OF THE FOR IN AT BY ON TO A".split(" "));
// Tuned: RUSKINDALE & COMPANY must find RUSKINDALE & CO, of which AND is half.
const FEWEST_WORDS = 3;

/** The words without those that only connect them, unless too few would be left. */
export function withoutConnectives(words: string[]): string[] {
  const content = words.filter((word) => !CONNECTIVES.has(word));
  return content.length >= FEWEST_WORDS ? content : words;
}

const COUNTRIES = new Set(
  "ENGLAND WALES SCOTLAND NORTHERN IRELAND UNITED KINGDOM GREAT BRITAIN UK GB".split(" "),
);

// Without the second word the first is one of companies' names: QUILLORY NORTHERN LTD.
const SECOND_WORDS = new Map(Object.entries({ NORTHERN: "IRELAND", UNITED: "KINGDOM", GREAT: "BRITAIN" }));

/** The words without those of countries, which occur in addresses of any town. */
export function withoutCountries(words: string[]): string[] {
  return withoutAny(words, COUNTRIES);
}

function withoutAny(words: string[], left: ReadonlySet<string>): string[] {
  return words.filter((word, at) => {
    const next = words[at + 1];
    return !left.has(word) || (SECOND_WORDS.get(word) ?? next) !== next;
  });
}

// Registered and written addresses differ most in countries; the others connect a name and a place.
const NO_PLACE = new Set([...COUNTRIES, ..."OF IN AT NEAR BASED LOCATED FROM".split(" ")]);

/** The words beside a name that an address may confirm. */
export function placeWords(words: string[]): string[] {
  return withoutAny(words, NO_PLACE);
}

/** True for a word beside a name and a place that no address confirms. */
export function isNoPlace(word: string): boolean {
  return NO_PLACE.has(word);
}

const COUNTIES = new Set(
  (
    "AVON,BEDFORDSHIRE,BERKSHIRE,BUCKINGHAMSHIRE,CAMBRIDGESHIRE,CHESHIRE,CLEVELAND,CLWYD,CORNWALL,COUNTY ANTRIM," +
    "COUNTY ARMAGH,COUNTY DOWN,COUNTY DURHAM,COUNTY FERMANAGH,COUNTY LONDONDERRY,COUNTY TYRONE,CUMBRIA,DERBYSHIRE,DEVON," +
    "DORSET,DYFED,EAST SUSSEX,EAST YORKSHIRE,ESSEX,FIFE,GLOUCESTERSHIRE,GREATER LONDON,GREATER MANCHESTER,GWENT,GWYNEDD," +
    "HAMPSHIRE,HEREFORDSHIRE,HERTFORDSHIRE,ISLE OF WIGHT,KENT,LANARKSHIRE,LANCASHIRE,LEICESTERSHIRE,LINCOLNSHIRE," +
    "MERSEYSIDE,MID GLAMORGAN,MIDDLESEX,MIDLOTHIAN,NORFOLK,NORTH YORKSHIRE,NORTHAMPTONSHIRE,NORTHUMBERLAND," +
    "NOTTINGHAMSHIRE,OXFORDSHIRE,POWYS,RUTLAND,SHROPSHIRE,SOMERSET,SOUTH GLAMORGAN,SOUTH YORKSHIRE,STAFFORDSHIRE,SUFFOLK," +
    "SURREY,SUSSEX,TYNE AND WEAR,WARWICKSHIRE,WEST GLAMORGAN,WEST MIDLANDS,WEST SUSSEX,WEST YORKSHIRE,WILTSHIRE," +
    "WORCESTERSHIRE"
  ).split(","),
);

// Towns that are words or surnames as well (READING, BATH, DEAL) are included: a reading only adds results.
const PLACES = new Set([
  ...COUNTIES,
  ...(
    "ABERDEEN,ABERYSTWYTH,ABINGDON,ACCRINGTON,ALDERSHOT,ALFRETON,ALTRINCHAM,AMERSHAM,ANDOVER,ANTRIM,ARMAGH,ASHBOURNE," +
    "ASHFORD,ASHTON UNDER LYNE,AYLESBURY,AYR,BANBRIDGE,BANBURY,BANGOR,BARKING,BARNET,BARNSLEY,BARNSTAPLE," +
    "BARROW IN FURNESS,BARRY,BASILDON,BASINGSTOKE,BATH,BATLEY,BEACONSFIELD,BECKENHAM,BEDFORD,BELFAST,BERKHAMSTED,BEVERLEY," +
    "BEXHILL ON SEA,BEXLEYHEATH,BICESTER,BIGGLESWADE,BILLERICAY,BIRKENHEAD,BIRMINGHAM,BISHOP AUCKLAND,BISHOPS STORTFORD," +
    "BLACKBURN,BLACKPOOL,BODMIN,BOGNOR REGIS,BOLTON,BOOTLE,BOREHAMWOOD,BOSTON,BOURNEMOUTH,BRACKNELL,BRADFORD,BRAINTREE," +
    "BRENTFORD,BRENTWOOD,BRIDGEND,BRIDGNORTH,BRIDGWATER,BRIDLINGTON,BRIGHOUSE,BRIGHTON,BRISTOL,BROMLEY,BROMSGROVE,BUCKINGHAM," +
    "BURGESS HILL,BURNLEY,BURTON ON TRENT,BURY,BURY ST EDMUNDS,BUSHEY,BUXTON,CAERPHILLY,CAMBERLEY,CAMBRIDGE,CANNOCK," +
    "CANTERBURY,CARDIFF,CARLISLE,CARMARTHEN,CASTLEFORD,CHATHAM,CHEADLE,CHELMSFORD,CHELTENHAM,CHESHAM,CHESTER,CHESTERFIELD," +
    "CHICHESTER,CHIGWELL,CHIPPENHAM,CHORLEY,CIRENCESTER,CLACTON ON SEA,CLEETHORPES,CLITHEROE,COALVILLE,COLCHESTER,COLERAINE," +
    "COLWYN BAY,CONGLETON,CORBY,COVENTRY,COWBRIDGE,CRAIGAVON,CRAMLINGTON,CRANLEIGH,CRAWLEY,CREWE,CROYDON,CUMBERNAULD,DAGENHAM," +
    "DARLINGTON,DARTFORD,DARWEN,DAVENTRY,DEAL,DERBY,DERRY,DEWSBURY,DIDCOT,DONCASTER,DORCHESTER,DORKING,DOUGLAS,DOVER,DROITWICH," +
    "DUDLEY,DUMFRIES,DUNDEE,DUNFERMLINE,DUNSTABLE,DURHAM,EAST GRINSTEAD,EAST KILBRIDE,EASTBOURNE,EASTLEIGH,EDGWARE,EDINBURGH," +
    "ELGIN,ELLESMERE PORT,ELY,ENFIELD,EPPING,EPSOM,ESHER,EVESHAM,EXETER,EXMOUTH,FALKIRK,FALMOUTH,FAREHAM,FARNBOROUGH,FARNHAM," +
    "FELIXSTOWE,FELTHAM,FLEET,FOLKESTONE,GAINSBOROUGH,GATESHEAD,GILLINGHAM,GLASGOW,GLENROTHES,GLOSSOP,GLOUCESTER,GODALMING," +
    "GOOLE,GOSPORT,GRANTHAM,GRAVESEND,GRAYS,GREAT YARMOUTH,GREENFORD,GREENOCK,GRIMSBY,GUILDFORD,HALESOWEN,HALIFAX,HAMILTON," +
    "HAMPTON,HARLOW,HARPENDEN,HARROGATE,HARROW,HARTLEPOOL,HASLEMERE,HASTINGS,HATFIELD,HAVANT,HAVERFORDWEST,HAVERHILL,HAYES," +
    "HAYWARDS HEATH,HEMEL HEMPSTEAD,HENLEY ON THAMES,HEREFORD,HERTFORD,HEXHAM,HEYWOOD,HIGH WYCOMBE,HINCKLEY,HITCHIN,HODDESDON," +
    "HORNCHURCH,HORSHAM,HOUNSLOW,HOVE,HUDDERSFIELD,HULL,HUNTINGDON,HYDE,ILFORD,ILKESTON,ILKLEY,INVERNESS,IPSWICH,ISLEWORTH," +
    "IVER,KEIGHLEY,KENDAL,KENILWORTH,KETTERING,KIDDERMINSTER,KILMARNOCK,KINGS LYNN,KINGSTON UPON HULL,KINGSTON UPON THAMES," +
    "KIRKCALDY,KNARESBOROUGH,KNUTSFORD,LANCASTER,LARNE,LEAMINGTON SPA,LEATHERHEAD,LEEDS,LEICESTER,LEIGH,LEIGH ON SEA," +
    "LEIGHTON BUZZARD,LETCHWORTH,LEWES,LICHFIELD,LINCOLN,LISBURN,LITTLEHAMPTON,LIVERPOOL,LIVINGSTON,LLANDUDNO,LLANELLI,LONDON," +
    "LONDONDERRY,LOUGHBOROUGH,LOUGHTON,LOWESTOFT,LUDLOW,LUTON,LYMINGTON,MACCLESFIELD,MAIDENHEAD,MAIDSTONE,MALDON,MALVERN," +
    "MANCHESTER,MANSFIELD,MARGATE,MARLOW,MATLOCK,MELTON MOWBRAY,MERTHYR TYDFIL,MIDDLESBROUGH,MILTON KEYNES,MITCHAM,MOLD,MORDEN," +
    "MORECAMBE,MORPETH,MOTHERWELL,NANTWICH,NEATH,NELSON,NEW MALDEN,NEWARK,NEWBURY,NEWCASTLE,NEWCASTLE UNDER LYME," +
    "NEWCASTLE UPON TYNE,NEWMARKET,NEWPORT,NEWQUAY,NEWRY,NEWTON ABBOT,NEWTOWNARDS,NORTHALLERTON,NORTHAMPTON,NORTHOLT," +
    "NORTHWICH,NORTHWOOD,NORWICH,NOTTINGHAM,NUNEATON,OLDBURY,OLDHAM,OMAGH,ORMSKIRK,ORPINGTON,OSSETT,OSWESTRY,OXFORD,OXTED," +
    "PAIGNTON,PAISLEY,PENRITH,PENZANCE,PERTH,PETERBOROUGH,PETERSFIELD,PINNER,PLYMOUTH,PONTEFRACT,PONTYPRIDD,POOLE,PORT TALBOT," +
    "PORTSMOUTH,POTTERS BAR,PRESCOT,PRESTON,PUDSEY,PURLEY,RAMSGATE,RAYLEIGH,READING,REDCAR,REDDITCH,REDHILL,REDRUTH,REIGATE," +
    "RETFORD,RHYL,RICHMOND,RICKMANSWORTH,RIPON,ROCHDALE,ROCHESTER,ROCHFORD,ROMFORD,ROMSEY,ROTHERHAM,ROYSTON,RUGBY,RUGELEY," +
    "RUISLIP,RUNCORN,SALE,SALFORD,SALISBURY,SALTASH,SCARBOROUGH,SCUNTHORPE,SEAFORD,SELBY,SEVENOAKS,SHEFFIELD,SHIPLEY," +
    "SHREWSBURY,SIDCUP,SITTINGBOURNE,SKEGNESS,SKELMERSDALE,SKIPTON,SLEAFORD,SLOUGH,SMETHWICK,SOLIHULL,SOUTH SHIELDS,SOUTHALL," +
    "SOUTHAMPTON,SOUTHEND ON SEA,SOUTHPORT,SPALDING,ST ALBANS,ST ANDREWS,ST ASAPH,ST AUSTELL,ST DAVIDS,ST HELENS,ST HELIER," +
    "ST IVES,ST LEONARDS ON SEA,ST NEOTS,ST PETER PORT,STAFFORD,STAINES,STALYBRIDGE,STAMFORD,STANMORE,STEVENAGE,STIRLING," +
    "STOCKPORT,STOCKTON ON TEES,STOKE ON TRENT,STOURBRIDGE,STOWMARKET,STRATFORD UPON AVON,STROUD,SUDBURY,SUNDERLAND,SURBITON," +
    "SUTTON,SUTTON COLDFIELD,SUTTON IN ASHFIELD,SWANSEA,SWINDON,TADCASTER,TADWORTH,TAMWORTH,TAUNTON,TEDDINGTON,TELFORD," +
    "TEWKESBURY,THAME,THATCHAM,THETFORD,THIRSK,THORNTON HEATH,TIPTON,TIVERTON,TONBRIDGE,TORQUAY,TOTNES,TOWCESTER,TRING," +
    "TROWBRIDGE,TRURO,TUNBRIDGE WELLS,TWICKENHAM,UCKFIELD,ULVERSTON,UPMINSTER,UXBRIDGE,WAKEFIELD,WALLASEY,WALLINGTON,WALLSEND," +
    "WALSALL,WALTHAM ABBEY,WALTHAM CROSS,WALTON ON THAMES,WANTAGE,WARE,WARLEY,WARRINGTON,WARWICK,WASHINGTON,WATERLOOVILLE," +
    "WATFORD,WEDNESBURY,WELLINGBOROUGH,WELLINGTON,WELLS,WELWYN GARDEN CITY,WEMBLEY,WEST BROMWICH,WEST DRAYTON,WEST MALLING," +
    "WESTCLIFF ON SEA,WESTERHAM,WESTON SUPER MARE,WETHERBY,WEYBRIDGE,WEYMOUTH,WHITBY,WHITEHAVEN,WHITLEY BAY,WHITSTABLE,WIDNES," +
    "WIGAN,WILLENHALL,WILMSLOW,WIMBORNE,WINCHESTER,WINDSOR,WIRRAL,WISBECH,WITHAM,WITNEY,WOKING,WOKINGHAM,WOLVERHAMPTON," +
    "WOODBRIDGE,WOODFORD GREEN,WORCESTER,WORCESTER PARK,WORKINGTON,WORKSOP,WORTHING,WREXHAM,YEOVIL,YORK," +
    "GUERNSEY,ISLE OF MAN,JERSEY"
  ).split(","),
]);
const MOST_WORDS = 4;

/** True when the words are a town or a county and nothing else. */
export function isPlace(words: string[]): boolean {
  return PLACES.has(words.join(" "));
}

const SHIRE = /^\S+SHIRE$/;
const DIRECTION = /^(?:NORTH|SOUTH|EAST|WEST|MID|[NSEW]) /;
// Only in addresses: in a name they are words of its own.
const OTHER_COUNTIES = new Set(
  (
    "BEDS,BERKS,BUCKS,CAMBS,GLOS,HANTS,HERTS,LANCS,LEICS,LINCS,MIDDX,NORTHANTS,NOTTS,OXON,SALOP,STAFFS,WARKS,WILTS,WORCS," +
    "YORKS,LOTHIAN,EAST RIDING,EAST RIDING OF YORKSHIRE"
  ).split(","),
);

/** True when the words are a county, or a part of one, and nothing else: `Kent`, `Co. Durham`, `North Ayrshire`, `W Yorks`. */
export function isCounty(words: string[]): boolean {
  const name = words.join(" ").replace(/^CO /, "COUNTY ");
  return [name, name.replace(DIRECTION, "")].some(
    (county) => COUNTIES.has(county) || OTHER_COUNTIES.has(county) || SHIRE.test(county),
  );
}

/** True when the words begin or end with a place, and something else remains. */
export function hasPlace(words: string[]): boolean {
  const lengths = Array.from({ length: Math.min(MOST_WORDS, words.length - 1) }, (_, index) => index + 1);
  return lengths.some((length) => {
    const [first, last] = [words.slice(0, length), words.slice(-length)];
    return isPlace(first) || isPlace(last);
  });
}

/** True for words of towns and counties alone. */
export function arePlaces(words: string[]): boolean {
  return words.length > 0 && withoutPlaces(words).length === 0;
}

/** The words without those of towns and counties. */
export function withoutPlaces(words: string[]): string[] {
  const [first, ...others] = words;
  if (first === undefined) return [];
  const lengths = Array.from({ length: MOST_WORDS }, (_, index) => MOST_WORDS - index);
  const length = lengths.find((count) => isPlace(words.slice(0, count)));
  return length ? withoutPlaces(words.slice(length)) : [first, ...withoutPlaces(others)];
}

/** True for a word of an address or a number, and not of a person's name. */
export function hasDigit(word: string): boolean {
  return /\d/.test(word);
}
