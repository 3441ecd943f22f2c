// The page's script: files of assets/ one behind the other, in the order that CMakeLists.txt names.
//
// Everything shown is input. Elements are made by make() from text; nothing is ever parsed as markup.
(() => {
"use strict";

