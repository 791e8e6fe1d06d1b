import { foldForSearch } from '#shared/text-normalization.ts';
import { wordsOf } from './parse-lists.ts';

/** The names of the demo's six schools. */
export const SCHOOL_NAMES = [
  'Cedar Creek Elementary',
  'Peñasco Bilingual Academy',
  'Harriet Tubman K–8 School',
  'Lakeview Middle School',
  'Rosa Parks Elementary',
  'Cedar Creek High School',
] as const;

const PLACES = wordsOf(`
  Alder, Aspen, Birchwood, Blue Heron, Brookside, Cottonwood, Eagle Ridge, Elm Street, Fairmont, Foothill,
  Garfield, Glen Oak, Hawthorne, Highland, Jefferson, Juniper, Kingsley, Laurel, Linden, Mill Pond,
  Mount Hope, Northgate, Oakdale, Orchard, Pine Hollow, Prairie View, Riverside, Roosevelt, Sandy Point,
  Sequoia, Stonebridge, Sunnyside, Sycamore, Valley, Washington, Westfield, Willow, Woodland`);
const KINDS = wordsOf('Elementary, Middle School, High School, Academy, Primary School, K–8 School');

/** That many different names of schools; throws when there are too few. */
export function schoolNames(count: number): string[] {
  const more = KINDS.flatMap((kind) => PLACES.map((place) => `${place} ${kind}`));
  const names = [...SCHOOL_NAMES, ...more].slice(0, count);
  if (names.length < count) throw new Error(`there are names for ${names.length} schools only`);
  return names;
}

export const FIRST_NAMES = wordsOf(`
  Aaliyah, Aarav, Abigail, Adaeze, Agnieszka, Ahmed, Aiko, Alejandra, Amara, Amir, Ana Lucía, Andre, Angela,
  Anneliese, Anthony, Beatriz, Bilal, Brandon, Brenda, Camila, Carlos, Carol, Catherine, Chidi, Chloé,
  Christopher, Claire, Cristina, Daniel, Darnell, David, Deepika, Denise, Desmond, Diego, Ebony, Eduardo,
  Elena, Elizabeth, Emeka, Emily, Erik, Esperanza, Fatima, Félix, Fiona, Francisco, Gabriela, George, Grace,
  Gwendolyn, Hana, Harpreet, Hassan, Heather, Hiroshi, Ibrahim, Imani, Ingrid, Isabel, Jackson, Jamal,
  Jasmine, Javier, Jennifer, Jessica, Jin, Joanna, Jordan, José, Joyce, Juan Pablo, Julia, Kamala, Karen,
  Keisha, Kenji, Kevin, Kwame, Latoya, Laura, Leilani, Linh, Lucía, Luis, Magdalena, Mai, Malik, Marcus,
  Margaret, Mariana, Mark, Mary, Mateo, Mei, Michael, Miguel, Min-jun, Mohammed, Monique, Nadia, Naomi,
  Natalia, Ngozi, Nicole, Noor, Oluwaseun, Omar, Patrick, Paula, Peter, Priya, Quincy, Rachel, Rafael,
  Rajesh, Rebecca, Renée, Ricardo, Robert, Rosa, Ruth, Samantha, Samuel, Sandeep, Sarah, Sergio, Siobhán,
  Sofía, Solomon, Stephanie, Sunita, Susan, Tamika, Tatiana, Teresa, Thanh, Thomas, Tiffany, Tomás, Trinh,
  Uma, Valentina, Vanessa, Víctor, Walter, Wei, William, Xiomara, Yasmin, Yolanda, Yuki, Yusuf, Zainab, Zoë,
  Željka`);

export const LAST_NAMES = wordsOf(`
  Abdi, Abdullah, Adeyemi, Aguilar, Ahn, Ali, Anderson, Bailey, Baker, Banerjee, Begay, Bell, Bergström,
  Boateng, Brooks, Brown, Cabrera, Campbell, Castillo, Chang, Chaudhry, Chen, Clark, Cohen, Cooper, Cruz,
  Da Silva, Davis, de la Cruz, Delgado, Diallo, Díaz, Dubois, Edwards, Eriksen, Espinoza, Evans, Farah,
  Fernández, Fischer, Flores, Foster, García, Ghosh, Gomez, González, Goldberg, Gray, Green, Gutiérrez,
  Haddad, Hall, Harris, Hassan, Hernández, Hill, Hoang, Howard, Huang, Hughes, Ivanova, Iyer, Jackson,
  Jensen, Jiménez, Johnson, Jones, Kahananui, Kapoor, Kaur, Kelly, Khan, Kim, Kowalczyk, Kumar, Larsen, Le,
  Lee, Lewis, Li, Lindqvist, López, Martin, Martínez, Mbeki, McCarthy, Mehta, Mendoza, Miller, Mitchell,
  Mohamed, Molina, Moore, Morales, Moreno, Müller, Murphy, Nakamura, Nelson, Nguyễn, Novák, Núñez, O'Brien,
  O'Connor, Okafor, Okonkwo, Olsen, Ortega, Ortiz, Osei, Owens, Park, Parker, Patel, Perez, Peterson, Pham,
  Phillips, Popescu, Powell, Quintero, Rahman, Ramírez, Ramos, Reyes, Richardson, Rivera, Roberts, Robinson,
  Rodríguez, Rojas, Romero, Rossi, Ruiz, Russo, Saito, Salazar, Sánchez, Sato, Schmidt, Schneider, Scott,
  Sharma, Shapiro, Simmons, Singh, Smith, Soto, Sullivan, Suzuki, Tanaka, Taylor, Thomas, Thompson, Torres,
  Tran, Turner, Ueda, Vargas, Vasquez, Walker, Wang, Ward, Washington, Watson, Weber, White, Williams,
  Wilson, Wójcik, Wong, Wood, Wright, Wu, Yamamoto, Yang, Yilmaz, Young, Zhang, Zhou, Zimmerman, Zúñiga`);

/** The domain of all addresses; email to `.example` reaches no one. */
export const MAIL_DOMAIN = 'cedarcreek.example';

/** A person's email address: 'ana.lucia.nunez@...'. */
export function addressOf(firstName: string, lastName: string, number?: number): string {
  const local = foldForSearch(`${firstName} ${lastName}`)
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.|\.$/g, '');
  return `${local}${number ?? ''}@${MAIL_DOMAIN}`;
}
