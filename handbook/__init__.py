"""The Markdown files of docs/ come in. The pages of the handbook, its glossary and the API's reference come out."""
